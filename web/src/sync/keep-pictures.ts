import { type KeepWish, KEEP_PICTURE } from '#shared/pictures/keep-picture.ts';
import { findOlderPosts } from '../local-db/older-posts.ts';
import type { SyncStore } from '../local-db/sync-store.ts';
import { fetchOlderPosts } from './fetch-older-posts.ts';
import { listPictures, listPinnedIgIds, type PictureWish, rememberPinned } from './picture-list.ts';
import type { Sleep } from './sleep.ts';
import type { SyncNetwork } from './sync-network.ts';

export interface KeepPicturesDeps {
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
const AGAIN_MS = 60_000;
/** The network may be away for a moment, or has asked to wait. */
const RETRY_FIRST_MS = 5000;
/** At once, and how long to rest after them: well below what the server lets one workspace ask for. */
const AT_ONCE = 4;
const REST_MS = 700;
/** Of one pinned account, pages of older posts that are fetched in one round. */
const PAGES_AT_MOST = 20;
/** A picture that isn't there is only let go of by somebody who keeps pictures; a server doesn't know it. */
const PROBE: PictureWish = { path: '/proxy/none', width: 160, wish: 'released' };

/**
 * While the server is there, fetches ahead: pinned accounts whole, with their pictures, and the
 * pictures of the last 30 days. Whoever keeps pictures (the service worker, the desktop app) minds the
 * budget.
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
  for (const { path, width } of released) kept.delete(keyOf({ path, width, wish: 'pinned' }));
  if (!(await keepAll(deps, released, new Set(), signal))) return false;
  await deps.store.write((tx) => rememberPinned(tx, pinned));
  return keepAll(deps, wanted, kept, signal);
}

const keyOf = ({ path, width, wish }: PictureWish): string => `${wish} ${path} ${width}`;

async function holdPinnedWhole(deps: KeepPicturesDeps, signal: AbortSignal): Promise<boolean> {
  const { store } = deps;
  for (const igId of await store.read(listPinnedIgIds)) {
    for (let page = 0; page < PAGES_AT_MOST; page += 1) {
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
  wishes: readonly PictureWish[],
  kept: Set<string>,
  signal: AbortSignal,
): Promise<boolean> {
  const open = wishes.filter((wish) => !kept.has(keyOf(wish)));
  let isAnyAway = false;
  for (let next = 0; next < open.length; next += AT_ONCE) {
    if (signal.aborted) return false;
    const some = open.slice(next, next + AT_ONCE);
    const outcomes = await Promise.all(some.map((wish) => ask(deps, wish, signal)));
    some.forEach((wish, at) => {
      if (outcomes[at] === 'kept' || outcomes[at] === 'missing') kept.add(keyOf(wish));
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
  { path, width, wish }: PictureWish,
  signal: AbortSignal,
): Promise<'kept' | 'missing' | 'away' | 'stop'> {
  const headers: Record<string, KeepWish> = { [KEEP_PICTURE]: wish };
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
