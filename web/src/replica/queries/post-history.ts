import { usualAmount } from '#shared/domain/money/plan-adviser.ts';
import { findPlan } from '#shared/domain/money/plans.ts';
import { isUnended } from '#shared/domain/money/subscription-state.ts';
import type { AccountChange, OrderChange, PostChange } from '#shared/sync/entities.ts';
import { accountKey } from '../store/entity-shape.ts';
import { type LocalDatabase, readLocal } from '../store/local-database.ts';
import { isComplete, listRowsOf } from '../store/read-rows.ts';
import type { StoreReader } from '../store/sync-store.ts';
import { boundInstant, findOlderPosts, heldFrom } from './older-posts.ts';

/** What this device knows of the posts of an account, or of all, and of what was bought for them. */
export interface LocalHistory {
  /** When each was taken, milliseconds since the epoch. */
  postsMs: readonly number[];
  /** Between these every post is known, milliseconds since the epoch; equal: nothing is. */
  fromMs: number;
  untilMs: number;
  /** Likes a post of its plan, or the usual amount of its orders; undefined: none were bought. */
  usualLikes: number | undefined;
}

/** @param sinceMs nothing older is read */
export function readAccountHistory(
  db: LocalDatabase,
  igId: string,
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): Promise<LocalHistory> {
  return readLocal(db, async (store) => {
    const from = new Date(sinceMs).toISOString();
    const [account] = await listRowsOf(store, 'account', { foundBy: accountKey('account', igId) });
    if (!account || !(await isComplete(store, 'post'))) return NOTHING_KNOWN;
    const posts = await listRowsOf(store, 'post', { foundBy: accountKey('post', igId), from });
    const orders = await listRowsOf(store, 'order', { foundBy: accountKey('order', igId), from });
    const older = await findOlderPosts(store, igId);
    const heldMs = older ? Date.parse(boundInstant(older)) : -Infinity;
    return {
      ...knownOf(account, posts, { sinceMs: Math.max(heldMs, sinceMs), nowMs }),
      usualLikes: findPlan(account.accountPackageId ?? 0)?.likes ?? usualOrder(orders),
    };
  });
}

type KnownPosts = Omit<LocalHistory, 'usualLikes'>;

function knownOf(
  account: AccountChange,
  posts: readonly PostChange[],
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): KnownPosts {
  const postsMs = posts.map(({ takenAt }) => Date.parse(takenAt));
  // Its first reading gave the newest posts: from the oldest of them on there is none that isn't known.
  const firstMs = Math.min(Date.parse(account.connectedAt), ...postsMs);
  const read = [account.lastReadAt, account.connectedAt, ...posts.map((post) => post.detectedAt)];
  return {
    postsMs,
    fromMs: Math.max(firstMs, sinceMs),
    untilMs: isPolled(account) ? nowMs : Math.max(...read.map((at) => Date.parse(at ?? '') || 0)),
  };
}

/** Of every account, by its name; none where posts were never read. */
export function readEachHistory(
  db: LocalDatabase,
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): Promise<ReadonlyMap<string, KnownPosts>> {
  return readLocal(db, async (store) => {
    if (!(await isComplete(store, 'post'))) return new Map();
    const heldMs = await heldSince(store, sinceMs);
    const from = new Date(heldMs).toISOString();
    const posts = Map.groupBy(await listRowsOf(store, 'post', { from }), ({ igId }) => igId);
    const accounts = await listRowsOf(store, 'account');
    return new Map(
      accounts.map((account) => [
        account.igUsername,
        knownOf(account, posts.get(account.igId) ?? [], { sinceMs: heldMs, nowMs }),
      ]),
    );
  });
}

/** Of all accounts together. */
export function readWholeHistory(
  db: LocalDatabase,
  { sinceMs, nowMs }: { sinceMs: number; nowMs: number },
): Promise<LocalHistory> {
  return readLocal(db, async (store) => {
    const window = { from: new Date(await heldSince(store, sinceMs)).toISOString() };
    const posts = await listRowsOf(store, 'post', window);
    return {
      postsMs: posts.map(({ takenAt }) => Date.parse(takenAt)),
      fromMs: Date.parse(window.from),
      untilMs: nowMs,
      usualLikes: usualOrder(await listRowsOf(store, 'order', window)),
    };
  });
}

const NOTHING_KNOWN: LocalHistory = { postsMs: [], fromMs: 0, untilMs: 0, usualLikes: undefined };

/** Only accounts with a plan are looked at all the time, and only of those that can be read every post is known. */
const isPolled = ({ problem, subscriptionState }: AccountChange): boolean =>
  problem === null && isUnended(subscriptionState) && subscriptionState !== 'Paused';

const heldSince = async (store: StoreReader, sinceMs: number): Promise<number> =>
  Math.max(Date.parse((await heldFrom(store)) ?? '') || 0, sinceMs);

const usualOrder = (orders: readonly OrderChange[]): number | undefined =>
  usualAmount(orders.filter(({ kind }) => kind === 'credit').map(({ ordered }) => ordered));
