import type { AccountChange } from '#shared/sync/entities.ts';
import { accountKey } from '../local-db/entity-shape.ts';
import type { KeepWish } from '#shared/pictures/keep-picture.ts';
import { listRowsOf, rowsAs } from '../local-db/local-rows.ts';
import { listPinned } from '../local-db/pinned-accounts.ts';
import { findRow } from '../local-db/read-rows.ts';
import type { StoreReader, StoreWriter } from '../local-db/sync-store.ts';

/** A picture to have at hand without network. */
export interface PictureWish {
  path: string;
  /** CSS pixels, as the image path offers them. */
  width: 160 | 320 | 640;
  wish: KeepWish;
}

/** What is fetched ahead of accounts that aren't pinned. */
const RECENT_MS = 30 * 24 * 60 * 60_000;
const RECENT_POSTS = 1000;
const THUMBNAIL = 320;
const LARGE = 640;

/** The accounts whose pictures are known to be kept as pinned ones. */
const PINNED = 'pictures-pinned';

export const rememberPinned = (tx: StoreWriter, accountIds: readonly string[]): Promise<void> =>
  tx.putMeta(PINNED, accountIds);

export async function listPinnedIgIds(store: StoreReader): Promise<string[]> {
  return (await listPinned(store)).map(({ igId }) => igId);
}

/**
 * The pictures to let go of, of accounts that are no longer pinned, and those to be kept, the most
 * wanted first: thumbnails of pinned accounts, of the last 30 days, then the large ones of pinned
 * accounts.
 */
export async function listPictures(
  store: StoreReader,
  nowMs: number,
): Promise<{ released: PictureWish[]; wanted: PictureWish[]; pinned: string[] }> {
  const accounts = await listPinned(store);
  const pinned = accounts.map(({ accountId }) => accountId);
  const before = ((await store.getMeta(PINNED)) ?? []) as string[];
  const released: PictureWish[] = [];
  for (const accountId of before.filter((id) => !pinned.includes(id))) {
    const row = await findRow(store, 'account', accountId);
    for (const account of row ? rowsAs<'account'>([row]) : []) {
      const paths = await picturesOf(store, account);
      released.push(...sized(paths, THUMBNAIL, 'released'), ...sized(paths, LARGE, 'released'));
      released.push(...faceOf(account, 'released'));
    }
  }
  const ofPinned: string[] = [];
  for (const account of accounts) ofPinned.push(...(await picturesOf(store, account)));
  const wanted = [
    ...accounts.flatMap((account) => faceOf(account, 'pinned')),
    ...sized(ofPinned, THUMBNAIL, 'pinned'),
    ...sized(await recentPictures(store, nowMs, new Set(ofPinned)), THUMBNAIL, 'usual'),
    ...sized(ofPinned, LARGE, 'pinned'),
  ];
  return { released, wanted, pinned };
}

/** Newest first. */
async function picturesOf(store: StoreReader, { igId }: AccountChange): Promise<string[]> {
  const posts = await listRowsOf(store, 'post', { foundBy: accountKey('post', igId) });
  return posts.map((post) => post.display_url);
}

async function recentPictures(
  store: StoreReader,
  nowMs: number,
  known: ReadonlySet<string>,
): Promise<string[]> {
  const from = new Date(nowMs - RECENT_MS).toISOString();
  const posts = await listRowsOf(store, 'post', { from, limit: RECENT_POSTS });
  return posts.map((post) => post.display_url).filter((path) => !known.has(path));
}

const faceOf = ({ profilePic }: AccountChange, wish: KeepWish): PictureWish[] =>
  sized([profilePic], 160, wish);

const sized = (
  paths: readonly string[],
  width: PictureWish['width'],
  wish: KeepWish,
): PictureWish[] => paths.filter((path) => path !== '').map((path) => ({ path, width, wish }));
