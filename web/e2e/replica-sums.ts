import { createHash } from 'node:crypto';
import type { APIRequestContext, Page } from 'playwright-core';
import { PULL_PATH, type PullAnswer } from '#shared/sync/pull.ts';
import { SNAPSHOT_PATH, type SnapshotChunk } from '#shared/sync/snapshot.ts';
import { SYNC_PROTOCOL, SYNC_SCHEMA, VERSION_PARAMETERS } from '#shared/sync/version.ts';
import { idOfKey } from '#web/replica/store/chunk.ts';

/** What a replica holds: of each entity how many rows, and a sum over every id, version and value. */
export interface ReplicaSums {
  counts: Record<string, number>;
  checksums: Record<string, string>;
}

type HeldRow = readonly [entity: string, id: string, v: number, row: unknown];

/** What the server has for the session of these requests. */
export async function serverSums(request: APIRequestContext, url: string): Promise<ReplicaSums> {
  const address = (path: string, query: Record<string, string> = {}): string =>
    `${url}${path}?${new URLSearchParams({
      ...query,
      [VERSION_PARAMETERS.protocol]: String(SYNC_PROTOCOL),
      [VERSION_PARAMETERS.schema]: String(SYNC_SCHEMA),
    })}`;
  const data = { epoch: null, clientId: crypto.randomUUID(), cursors: {} };
  const pulled = await request.post(address(PULL_PATH), { data });
  const { new: scopes } = (await pulled.json()) as PullAnswer;
  const rows: HeldRow[] = [];
  for (const scope of scopes) {
    const text = await (await request.get(address(SNAPSHOT_PATH, { scope }))).text();
    for (const line of text.trim().split('\n')) {
      const chunk = JSON.parse(line) as Partial<SnapshotChunk>;
      for (const row of chunk.rows ?? []) rows.push([String(chunk.entity), ...row]);
    }
  }
  return sumsOf(rows);
}

/** What a replica of this user in a browser holds, read as it lies in IndexedDB. */
export async function keptSums(page: Page, userId: string): Promise<ReplicaSums> {
  const chunks = await page.evaluate(
    (name) =>
      new Promise<Array<{ k: string; ids: string[]; v: number[]; rows: unknown[] }>>(
        (resolve, reject) => {
          const open = indexedDB.open(name);
          open.addEventListener('error', () => reject(open.error));
          open.addEventListener('success', () => {
            const all = open.result.transaction('chunk').objectStore('chunk').getAll();
            all.addEventListener('success', () => {
              open.result.close();
              resolve(all.result);
            });
          });
        },
      ),
    `ovation-${userId}`,
  );
  return sumsOf(
    chunks.flatMap(({ k, ids, v, rows }) => {
      const entity = String(k.split('|')[1]);
      return ids.map((id, at): HeldRow => [entity, idOfKey(entity, id), Number(v[at]), rows[at]]);
    }),
  );
}

function sumsOf(rows: readonly HeldRow[]): ReplicaSums {
  const counts: Record<string, number> = {};
  const checksums: Record<string, string> = {};
  for (const [entity, ofEntity] of Map.groupBy(rows, ([name]) => name)) {
    const hash = createHash('sha256');
    const lines = ofEntity.map((row) => JSON.stringify(row.map(ordered)));
    for (const line of lines.sort()) hash.update(line);
    counts[entity] = ofEntity.length;
    checksums[entity] = hash.digest('hex');
  }
  return { counts, checksums };
}

/** With the fields of every object in one order, whatever order they came in. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, ordered(field)]));
}
