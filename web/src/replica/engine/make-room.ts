import { placePrefix, spanOf, packRows, rowsOf, withFreeKeys } from '../store/chunk.ts';
import { findOlderBound } from '../queries/older-posts.ts';
import { listPinned } from '../queries/accounts.ts';
import {
  keepRowLimit,
  ROW_LIMIT_LEAST,
  findRowLimit,
  listScopes,
  olderKey,
  olderPrefix,
  putScope,
  type ScopeState,
} from '../store/scope-state.ts';
import type { StoreWriter, SyncStore } from '../store/sync-store.ts';
import { abandonLoading, isFirst } from './load-snapshot.ts';

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
 * server has and gives again; posts of pinned accounts only when there are no others. What is queued
 * never goes.
 */
export async function makeRoom(
  store: SyncStore,
  freePictures: () => Promise<boolean>,
): Promise<'pictures' | 'older_posts'> {
  if (await freePictures()) return 'pictures';
  await store.write(async (tx) => {
    await keepRowLimit(tx, Math.max(ROW_LIMIT_LEAST, Math.floor((await findRowLimit(tx)) / 2)));
    const pinned = new Set((await listPinned(tx)).map(({ accountId }) => accountId));
    if (await dropOlderPosts(tx, pinned, 0.5)) return;
    if (await dropOlderPosts(tx, pinned, 1)) return;
    await dropOlderPosts(tx, new Set(), 0.5);
  });
  return 'older_posts';
}

/** Of every scope this part of its posts, the oldest ones; false when that freed nothing. */
async function dropOlderPosts(
  tx: StoreWriter,
  pinned: ReadonlySet<string>,
  part: number,
): Promise<boolean> {
  let hasFreed = false;
  for (const state of await listScopes(tx)) {
    if (await dropOlderPart(tx, state, pinned, part)) hasFreed = true;
  }
  return hasFreed;
}

async function dropOlderPart(
  tx: StoreWriter,
  state: ScopeState,
  pinned: ReadonlySet<string>,
  part: number,
): Promise<boolean> {
  if (isFirst(state)) return dropBegun(tx, state);
  const posts = await olderPart(tx, state, 'post', part);
  if (posts.length === 0) return false;
  const orders = await olderPart(tx, state, 'order', part);
  const newestMs = Math.max(...posts.map((k) => spanOf(k).newestMs));
  const dropped = await dropBut(tx, state, 'post', posts, pinned);
  await dropBut(tx, state, 'order', orders, pinned);
  await keepPinnedBounds(tx, state, pinned);
  const more = { ...state.more, post: boundAfter(newestMs) };
  await putScope(tx, {
    ...state,
    more: orders.length > 0 ? { ...more, order: more.post } : more,
  });
  return dropped > 0;
}

/**
 * A first reading that found no room begins anew and brings less: it goes on at its oldest row, so a
 * gap before that would never be noticed. False when nothing of it was there.
 */
async function dropBegun(tx: StoreWriter, { scope, generation }: ScopeState): Promise<boolean> {
  const keys = await tx.chunkKeys(placePrefix({ scope, entity: 'post', generation }));
  if (keys.length === 0) return false;
  await abandonLoading(tx, scope);
  return true;
}

/** Deletes these chunks but for the rows of these accounts; 0 when nothing went. */
async function dropBut(
  tx: StoreWriter,
  { scope, generation }: ScopeState,
  entity: string,
  keys: readonly string[],
  accountIds: ReadonlySet<string>,
): Promise<number> {
  if (accountIds.size === 0) {
    await tx.deleteChunks(keys);
    return keys.length;
  }
  const place = { scope, entity, generation };
  const rows = (await tx.getChunks(keys)).flatMap((chunk) => rowsOf(entity, chunk));
  const staying = rows.filter(({ row }) => accountIds.has(String(row['accountId'])));
  await tx.deleteChunks(keys);
  const taken = new Set(await tx.chunkKeys(placePrefix(place)));
  await tx.putChunks(withFreeKeys(packRows(place, staying), taken));
  return rows.length - staying.length;
}

/** What is held of the others ends at the scope's new bound; of these it ends where it did. */
async function keepPinnedBounds(
  tx: StoreWriter,
  state: ScopeState,
  pinned: ReadonlySet<string>,
): Promise<void> {
  const { scope } = state;
  const held = new Map<string, string>();
  for (const accountId of pinned) held.set(accountId, await findOlderBound(tx, state, accountId));
  for (const [key] of await tx.listMeta(olderPrefix(scope))) await tx.deleteMeta(key);
  for (const [accountId, bound] of held) await tx.putMeta(olderKey(scope, accountId), bound);
}

/** Keys go from the newest to the oldest; the memtable takes what is new and stays. */
async function olderPart(
  tx: StoreWriter,
  { scope, generation }: ScopeState,
  entity: string,
  part: number,
): Promise<string[]> {
  const keys = await tx.chunkKeys(placePrefix({ scope, entity, generation }));
  const packed = keys.filter((k) => Number.isFinite(spanOf(k).newestMs));
  return packed.slice(Math.ceil(packed.length * (1 - part)));
}

/** The place in the server's order of posts behind which everything up to this instant lies. */
function boundAfter(newestMs: number): string {
  const at = new Date(newestMs + 1).toISOString();
  return `${at}|00000000-0000-0000-0000-000000000000|0`;
}
