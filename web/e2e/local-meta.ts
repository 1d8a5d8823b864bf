import type { Page } from 'playwright-core';

/** Changes a fact that the one replica of the browser keeps about itself; no page may be using it. */
export const writeMeta = (page: Page, key: string, value: unknown): Promise<void> =>
  page.evaluate(
    async (row) => {
      const [database] = await indexedDB.databases();
      const opening = indexedDB.open(String(database?.name));
      await new Promise((resolve, reject) => {
        opening.addEventListener('success', resolve);
        opening.addEventListener('error', reject);
      });
      const meta = opening.result.transaction('meta', 'readwrite').objectStore('meta');
      meta.put(row);
      await new Promise((resolve) => {
        meta.transaction.addEventListener('complete', resolve);
      });
      opening.result.close();
    },
    { key, value },
  );
