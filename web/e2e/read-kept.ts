import type { Page } from 'playwright-core';

/** What the browser keeps of our origin: both storages, every row of every database, every cached answer. */
export const readKept = (page: Page): Promise<string> =>
  page.evaluate(async () => {
    const done = <T>(asked: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        asked.addEventListener('success', () => resolve(asked.result));
        asked.addEventListener('error', () => reject(asked.error ?? new Error('unread')));
      });
    const storages = [localStorage, sessionStorage];
    const texts = storages.map((storage) => JSON.stringify(Object.entries(storage)));
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const rows = database.transaction(store).objectStore(store);
        texts.push(store, JSON.stringify(await done(rows.getAll())));
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const asked of await cache.keys()) {
        texts.push(asked.url, (await (await cache.match(asked))?.text()) ?? '');
      }
    }
    return texts.join('\n');
  });
