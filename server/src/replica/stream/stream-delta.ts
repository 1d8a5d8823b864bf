import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { projectLog } from '../project-log.ts';
import type { ReplicaDeps } from '../projection.ts';
import { behindVersion } from '../pull-place.ts';
import type { ScopeOwner } from '../scope-owner.ts';
import { streamEvent } from './stream-queue.ts';
import { readLog } from '../sync-log.repository.ts';

const DELTA_ROWS = 256;

/**
 * The event that tells what happened in a scope between two versions, by schema. What is too large for a
 * delta is told as `head` alone. The log is read once, however many schemas are asked for.
 */
export async function readDelta(
  deps: ReplicaDeps,
  owner: ScopeOwner,
  { from, to, schemas }: { from: number; to: number; schemas: ReadonlySet<number> },
): Promise<Map<number, string>> {
  const { scope } = owner;
  const head = streamEvent('head', { scope, v: to });
  const range = { behind: behindVersion(from), to, limit: DELTA_ROWS + 1 };
  const lines = await readLog(deps.database.db, owner, range);
  const events = new Map<number, string>();
  for (const schema of schemas) {
    const texts = lines.length > DELTA_ROWS ? [] : await projectLog(deps, owner, lines, schema);
    const delta = `{"scope":${JSON.stringify(scope)},"from":${from},"to":${to},"rows":[${texts.join(',')}]}`;
    const isSmall =
      lines.length <= DELTA_ROWS && Buffer.byteLength(delta) <= SYNC_LIMITS.deltaBytes;
    events.set(schema, isSmall ? `event: delta\ndata: ${delta}\n\n` : head);
  }
  return events;
}
