import type { Page } from 'playwright-core';

/**
 * Changes all rows of an entity in the one replica of the browser, which are found by `foundBy` as well from then on; the
 * page hears of it when it is opened anew. Says whether any of them was otherwise before.
 */
export const rewriteRows = (
  page: Page,
  entity: string,
  changes: Record<string, unknown>,
  foundBy: readonly string[] = [],
): Promise<boolean> =>
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
