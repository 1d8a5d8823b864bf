import { placePrefix, spanOf } from '../local-db/chunk.ts';
import { keepRowLimit, ROW_LIMIT_LEAST, findRowLimit } from '../local-db/row-limit.ts';
import { listScopes, olderPrefix, putScope, type ScopeState } from '../local-db/scope-state.ts';
import type { StoreWriter, SyncStore } from '../local-db/sync-store.ts';

/** Whether a write failed because the browser gives this site no more room. */
export function isStorageFull(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = causeOf(one)) {
    if (one.name === 'QuotaExceededError') return true;
  }
  return false;
}

/** Dexie keeps what the browser said in `inner`. */
function causeOf(error: Error): unknown {
  return 'inner' in error ? error.inner : error.cause;
}

/**
 * Makes room: kept pictures go first; when there were none, the older half of the posts, which the
 * server has and gives again. What is queued never goes.
 */
export async function makeRoom(
  store: SyncStore,
  freeImages: () => Promise<boolean>,
): Promise<'pictures' | 'older_posts'> {
  if (await freeImages()) return 'pictures';
  await store.write(async (tx) => {
    await keepRowLimit(tx, Math.max(ROW_LIMIT_LEAST, Math.floor((await findRowLimit(tx)) / 2)));
    for (const state of await listScopes(tx)) await dropOlderHalf(tx, state);
  });
  return 'older_posts';
}

async function dropOlderHalf(tx: StoreWriter, state: ScopeState): Promise<void> {
  const posts = await olderHalf(tx, state, 'post');
  if (posts.length === 0) return;
  const orders = await olderHalf(tx, state, 'order');
  const newestMs = Math.max(...posts.map((k) => spanOf(k).newestMs));
  await tx.deleteChunks([...posts, ...orders]);
  for (const [key] of await tx.listMeta(olderPrefix(state.scope))) await tx.deleteMeta(key);
  const more = { ...state.more, post: boundAfter(newestMs) };
  await putScope(tx, {
    ...state,
    more: orders.length > 0 ? { ...more, order: more.post } : more,
  });
}

/** Keys go from the newest to the oldest; the tail takes what is new and stays. */
async function olderHalf(
  tx: StoreWriter,
  { scope, generation }: ScopeState,
  entity: string,
): Promise<string[]> {
  const keys = await tx.chunkKeys(placePrefix({ scope, entity, generation }));
  const packed = keys.filter((k) => Number.isFinite(spanOf(k).newestMs));
  return packed.slice(Math.ceil(packed.length / 2));
}

/** The place in the server's order of posts behind which everything up to this instant lies. */
function boundAfter(newestMs: number): string {
  const at = new Date(newestMs + 1).toISOString();
  return `${at}|00000000-0000-0000-0000-000000000000|0`;
}
