import type { Page } from 'playwright-core';

/** What the browser of a page still has: records in all replicas by table, and caches of pictures. */
export const leftBehind = (page: Page) =>
  page.evaluate(async () => {
    const records: Record<string, number> = {};
    for (const { name } of await indexedDB.databases()) {
      const opening = indexedDB.open(String(name));
      await new Promise((resolve) => {
        opening.addEventListener('success', resolve);
      });
      const db = opening.result;
      for (const table of db.objectStoreNames) {
        const counting = db.transaction(table).objectStore(table).count();
        await new Promise((resolve) => {
          counting.addEventListener('success', resolve);
        });
        if (counting.result > 0) records[table] = counting.result;
      }
      db.close();
    }
    const images = (await caches.keys()).filter((name) => name.includes('images'));
    return { records, images };
  });

/** Chunks of accounts, posts and orders in a member's own scope. */
export const heldRows = (page: Page, memberId: string): Promise<number> =>
  page.evaluate(async (scope) => {
    let held = 0;
    for (const { name } of await indexedDB.databases()) {
      const opening = indexedDB.open(String(name));
      await new Promise((resolve) => {
        opening.addEventListener('success', resolve);
      });
      const db = opening.result;
      if (db.objectStoreNames.contains('chunk')) {
        const counting = db
          .transaction('chunk')
          .objectStore('chunk')
          .count(IDBKeyRange.bound(`${scope}|`, `${scope}}`));
        await new Promise((resolve) => {
          counting.addEventListener('success', resolve);
        });
        held += counting.result;
      }
      db.close();
    }
    return held;
  }, `w:${memberId}`);

/** Has the page note, by the device's own clock, when its last post is gone. */
export const noteWhenGone = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const watch = new MutationObserver(() => {
      if (document.querySelector('[data-post]')) return;
      Object.assign(globalThis, { goneAt: Date.now() });
      watch.disconnect();
    });
    watch.observe(document.body, { childList: true, subtree: true });
  });

/** When that was, ms since the epoch; undefined: not yet. */
export const notedGone = (page: Page): Promise<number | undefined> =>
  page.evaluate(() => (globalThis as { goneAt?: number }).goneAt);
