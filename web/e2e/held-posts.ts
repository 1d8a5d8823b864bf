import type { Page } from 'playwright-core';

/** How many posts the replica of the user holds who is signed in on a page, whatever the screens show. */
export function countHeldPosts(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const done = <Value>(request: IDBRequest<Value>): Promise<Value> =>
      new Promise((resolve, reject) => {
        request.addEventListener('success', () => resolve(request.result));
        request.addEventListener('error', () => reject(request.error ?? new Error('No answer')));
      });
    const names = (await indexedDB.databases()).map(({ name }) => name ?? '');
    const db = await done(indexedDB.open(names.find((name) => name.startsWith('ovation-')) ?? ''));
    const ids = db.transaction('chunk').objectStore('chunk').index('ids');
    // Every post has one entry there.
    const count = await done(ids.count(IDBKeyRange.bound('post:', 'post:\uffff')));
    db.close();
    return count;
  });
}
