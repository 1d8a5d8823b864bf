import type { Page } from 'playwright-core';
import { openAnew } from './open-screen.ts';

/** What the rows of an entity say from now on, and by what they are found as well. */
type Rewrite = [entity: string, changes: Record<string, unknown>, foundBy?: readonly string[]];

/** Has the one replica of the browser say so; a page that was drawn from it otherwise is opened anew. */
export async function rewriteReplica(page: Page, ...rewrites: readonly Rewrite[]): Promise<void> {
  let isChanged = false;
  for (const rewrite of rewrites) {
    if (await rewriteRows(page, ...rewrite)) isChanged = true;
  }
  if (isChanged) await openAnew(page);
}

/** Says whether any of the rows was otherwise before. */
const rewriteRows = (page: Page, ...[entity, changes, foundBy = []]: Rewrite): Promise<boolean> =>
  page.evaluate(
    async ([name, changed, found]) => {
      type Chunk = { k: string; acc: string[]; rows: Array<Record<string, unknown>> };
      const isRecord = (value: unknown): value is object =>
        typeof value === 'object' && value !== null && !Array.isArray(value);
      const ended = (work: EventTarget): Promise<unknown> =>
        new Promise((resolve, reject) => {
          for (const event of ['success', 'complete']) work.addEventListener(event, resolve);
          work.addEventListener('error', reject);
        });
      const [database] = await indexedDB.databases();
      const opening = indexedDB.open(String(database?.name));
      await ended(opening);
      const chunks = opening.result.transaction('chunk', 'readwrite').objectStore('chunk');
      const reading = chunks.getAll() as IDBRequest<Chunk[]>;
      await ended(reading);
      let isChanged = false;
      for (const chunk of reading.result) {
        if (chunk.k.split('|')[1] !== name) continue;
        const before = JSON.stringify(chunk);
        for (const row of chunk.rows) {
          for (const [key, value] of Object.entries(changed)) {
            const old = row[key];
            row[key] = isRecord(value) && isRecord(old) ? { ...old, ...value } : value;
          }
        }
        chunk.acc = [...new Set([...chunk.acc, ...found])];
        if (JSON.stringify(chunk) === before) continue;
        isChanged = true;
        chunks.put(chunk);
      }
      await ended(chunks.transaction);
      opening.result.close();
      return isChanged;
    },
    [entity, changes, foundBy] as const,
  );
