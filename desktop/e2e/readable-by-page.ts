import type { Page } from 'playwright-core';

/** Everything a page can read of what it keeps, as text: databases, storage, caches, cookies and itself. */
export function readableByPage(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const rowsOf = (name: string): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const open = indexedDB.open(name);
        open.addEventListener('error', () => reject(open.error));
        open.addEventListener('success', () => {
          const rows: unknown[] = [];
          const stores = [...open.result.objectStoreNames];
          const read = open.result.transaction(stores);
          for (const store of stores) {
            const all = read.objectStore(store).getAll();
            all.addEventListener('success', () => rows.push(all.result));
          }
          read.addEventListener('complete', () => {
            open.result.close();
            resolve(rows);
          });
        });
      });
    const databases = await indexedDB.databases();
    return JSON.stringify({
      databases: await Promise.all(databases.map(({ name = '' }) => rowsOf(name))),
      kept: Object.entries(localStorage),
      session: Object.entries(sessionStorage),
      caches: await caches.keys(),
      cookie: document.cookie,
      page: document.documentElement.outerHTML,
    });
  });
}
