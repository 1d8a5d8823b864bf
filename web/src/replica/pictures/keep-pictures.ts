import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { type KeepIntent, KEEP_PICTURE } from '#shared/pictures/picture-cache.ts';
import { findOlderPosts } from '../queries/older-posts.ts';
import { fetchOlderPosts } from '../queries/fetch-older-posts.ts';
import type { SyncStore, StoreReader, StoreWriter } from '../store/sync-store.ts';
import type { Sleep } from '#web/platform/async.ts';
import type { SyncNetwork } from '../network/sync-network.ts';
import type { AccountChange } from '#shared/sync/entities.ts';
import { accountKey } from '../store/entity-shape.ts';
import { listPinned } from '../queries/accounts.ts';
import { findRowOf, listRowsOf } from '../store/read-rows.ts';
import { endLost, findLost } from '../store/lost-accounts.ts';

interface KeepPicturesDeps {
  store: SyncStore;
  network: Pick<SyncNetwork, 'snapshot'>;
  fetch: typeof globalThis.fetch;
  /** Empty for the page's own origin. */
  apiOrigin: string;
  sleep: Sleep;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Whether somebody may keep pictures here; whether that is so is asked before each round. */
  mayBeKept: () => Promise<boolean>;
  /** Whether the person pays for what is transferred, or asked to save it. */
  isMetered: () => boolean;
  /** Calls back when the server is there again, or other accounts are to be kept; returns how to stop. */
  onChange: (listener: () => void) => () => void;
  report: (event: string, detail?: unknown) => void;
}

/** What is shown comes first. */
const SETTLE_MS = 2000;
/** New posts bring new pictures. */
const AGAIN_MS = MINUTE_MS;
/** The network may be away for a moment, or has asked to wait. */
const RETRY_FIRST_MS = 5000;
/** At once, and how long to rest after them: well below what the server lets one workspace ask for. */
const CONCURRENCY = 4;
const REST_MS = 700;
/** Of one pinned account, pages of older posts that are fetched in one round. */
const PAGE_LIMIT = 20;
/** A picture that isn't there is only let go of by somebody who keeps pictures; a server doesn't know it. */
const PROBE: PictureIntent = { path: '/proxy/none', width: 160, intent: 'released' };
const LET_GO: PictureIntent = { ...PROBE, intent: 'none' };

/**
 * While the server is there, fetches ahead: pinned accounts whole, with their pictures, and the
 * pictures of the last 30 days. Pictures of accounts that are gone go at once. Whoever keeps
 * pictures (the service worker, the desktop app) minds the budget.
 */
export async function keepPictures(deps: KeepPicturesDeps, signal: AbortSignal): Promise<void> {
  const kept = new Set<string>();
  let changed = new AbortController();
  const stop = deps.onChange(() => changed.abort());
  let delayMs = AGAIN_MS;
  try {
    for (;;) {
      await deps.sleep(delayMs, AbortSignal.any([signal, changed.signal]));
      changed = new AbortController();
      const inRound = AbortSignal.any([signal, changed.signal]);
      await letGoOfLost(deps, kept, inRound);
      await deps.sleep(SETTLE_MS, inRound);
      if (signal.aborted) return;
      const isDone = inRound.aborted || (await keepRound(deps, kept, inRound));
      if (isDone) delayMs = AGAIN_MS;
      else delayMs = delayMs === AGAIN_MS ? RETRY_FIRST_MS : Math.min(AGAIN_MS, delayMs * 2);
    }
  } catch (error) {
    if (!signal.aborted) deps.report('Pictures are not fetched ahead', error);
  } finally {
    stop();
  }
}

/** Of accounts that are gone nothing is kept: all pictures go, and what is still seen is fetched again. */
async function letGoOfLost(
  deps: KeepPicturesDeps,
  kept: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  const lost = await deps.store.read(findLost);
  if (lost === undefined || signal.aborted || !(await deps.mayBeKept())) return;
  if ((await ask(deps, LET_GO, signal)) !== 'kept') return;
  kept.clear();
  await deps.store.write((tx) => endLost(tx, lost));
}

/** One round; false when something was in its way: the next one goes on there. */
async function keepRound(
  deps: KeepPicturesDeps,
  kept: Set<string>,
  signal: AbortSignal,
): Promise<boolean> {
  if (deps.isMetered() || !(await deps.mayBeKept())) return true;
  const keeper = await ask(deps, PROBE, signal);
  // Nobody keeps pictures here, or nobody could be asked.
  if (keeper !== 'kept') return keeper === 'missing';
  if (!(await holdPinnedWhole(deps, signal))) return false;
  const { released, wanted, pinned } = await deps.store.read((tx) => listPictures(tx, deps.now()));
  for (const { path, width } of released) kept.delete(keyOf({ path, width, intent: 'pinned' }));
  if (!(await keepAll(deps, released, new Set(), signal))) return false;
  await deps.store.write((tx) => rememberPinned(tx, pinned));
  return keepAll(deps, wanted, kept, signal);
}

const keyOf = ({ path, width, intent }: PictureIntent): string => `${intent} ${path} ${width}`;

async function holdPinnedWhole(deps: KeepPicturesDeps, signal: AbortSignal): Promise<boolean> {
  const { store } = deps;
  for (const igId of await store.read(listPinnedIgIds)) {
    for (let page = 0; page < PAGE_LIMIT; page += 1) {
      const older = await store.read((tx) => findOlderPosts(tx, igId));
      if (!older) break;
      if (signal.aborted || !(await fetchOlderPosts(deps, older, signal))) return false;
    }
  }
  return true;
}

/** False when some are still missing that may be had later. */
async function keepAll(
  deps: KeepPicturesDeps,
  intents: readonly PictureIntent[],
  kept: Set<string>,
  signal: AbortSignal,
): Promise<boolean> {
  const open = intents.filter((intent) => !kept.has(keyOf(intent)));
  let isAnyAway = false;
  for (let next = 0; next < open.length; next += CONCURRENCY) {
    if (signal.aborted) return false;
    const some = open.slice(next, next + CONCURRENCY);
    const outcomes = await Promise.all(some.map((intent) => ask(deps, intent, signal)));
    some.forEach((intent, at) => {
      if (outcomes[at] === 'kept' || outcomes[at] === 'missing') kept.add(keyOf(intent));
    });
    isAnyAway ||= outcomes.includes('away');
    // One picture that can't be had holds up no other; when none can, the network is away.
    if (outcomes.includes('stop') || outcomes.every((each) => each === 'away')) return false;
    await deps.sleep(REST_MS, signal);
  }
  return !isAnyAway;
}

/**
 * `missing`: there is no such picture; `away`: the network doesn't give it now; `stop`: no use to go
 * on now.
 */
async function ask(
  { fetch, apiOrigin }: KeepPicturesDeps,
  { path, width, intent }: PictureIntent,
  signal: AbortSignal,
): Promise<'kept' | 'missing' | 'away' | 'stop'> {
  const headers: Record<string, KeepIntent> = { [KEEP_PICTURE]: intent };
  try {
    const answer = await fetch(`${apiOrigin}${path}?w=${width}`, { headers, signal });
    await answer.body?.cancel();
    if (answer.status === 204) return 'kept';
    if (answer.status === 503) return 'away';
    return answer.status === 404 || answer.status === 410 ? 'missing' : 'stop';
  } catch {
    return 'stop';
  }
}

/** A picture to have at hand without network. */
interface PictureIntent {
  path: string;
  /** CSS pixels, as the image path offers them. */
  width: 160 | 320 | 640;
  intent: KeepIntent;
}

/** What is fetched ahead of accounts that aren't pinned. */
const RECENT_MS = 30 * DAY_MS;
const RECENT_POSTS = 1000;
const THUMBNAIL = 320;
const LARGE = 640;

/** The accounts whose pictures are known to be kept as pinned ones. */
const PINNED = 'pictures-pinned';

const rememberPinned = (tx: StoreWriter, accountIds: readonly string[]): Promise<void> =>
  tx.putMeta(PINNED, accountIds);

async function listPinnedIgIds(store: StoreReader): Promise<string[]> {
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
): Promise<{ released: PictureIntent[]; wanted: PictureIntent[]; pinned: string[] }> {
  const accounts = await listPinned(store);
  const pinned = accounts.map(({ accountId }) => accountId);
  const before = ((await store.getMeta(PINNED)) ?? []) as string[];
  const released: PictureIntent[] = [];
  for (const accountId of before.filter((id) => !pinned.includes(id))) {
    const account = await findRowOf(store, 'account', accountId);
    if (!account) continue;
    const paths = await picturesOf(store, account);
    released.push(...sized(paths, THUMBNAIL, 'released'), ...sized(paths, LARGE, 'released'));
    released.push(...faceOf(account, 'released'));
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

const faceOf = ({ profilePic }: AccountChange, intent: KeepIntent): PictureIntent[] =>
  sized([profilePic], 160, intent);

const sized = (
  paths: readonly string[],
  width: PictureIntent['width'],
  intent: KeepIntent,
): PictureIntent[] => paths.filter((path) => path !== '').map((path) => ({ path, width, intent }));
