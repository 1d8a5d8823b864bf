import * as v from 'valibot';
import { ProviderProgress } from '#shared/contract/provider-protocol.ts';
import { isUuid } from '#shared/domain/ids.ts';
import type { Database } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { OrderKey } from './like-order.repository.ts';
import { listPostKeys, pairReadings } from '#server/network/posts/like-pair.repository.ts';
import { type Advanced, advanceOrder } from './advance-order.ts';
import { listOrderKeys, lockOrders, storeAdvanced } from './claimed-orders.repository.ts';

type NewsDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'log'>;

/**
 * Applies news about orders, whoever brought it. No fence is needed: the rows are locked and `seq` says
 * what is newer, so the same news twice, late or out of order changes nothing.
 */
export async function applyNews(
  deps: NewsDeps,
  keys: readonly OrderKey[],
  news: readonly ProviderProgress[],
): Promise<void> {
  const byRef = newestByRef(news);
  await eachAlone(deps, keys, (some) => applyTogether(deps, some, byRef));
}

async function applyTogether(
  deps: NewsDeps,
  keys: readonly OrderKey[],
  byRef: ReadonlyMap<string, ProviderProgress>,
): Promise<void> {
  const advanced = await deps.database.transaction(async (tx) => {
    const at = new Date(deps.clock.now());
    const all = (await lockOrders(tx, keys)).flatMap((order) => {
      const latest = byRef.get(order.id);
      return (latest && advanceOrder(order, latest, at)) ?? [];
    });
    await storeAdvanced(tx, deps.ids, all, at);
    return all;
  });
  const turned = advanced.filter(({ events }) => events.length > 0);
  await pairHeard(deps.database, turned);
  reportTakenBack(deps.log, advanced);
}

/**
 * Pairs the open readings of posts whose orders were heard of. In a transaction of its own, because marking a
 * post as deleted locks the post before its orders. After a crash the next reading or poll pairs them.
 */
export async function pairHeard(database: Database, advanced: readonly Advanced[]): Promise<void> {
  if (advanced.length === 0) return;
  const postIds = new Set(advanced.map(({ order }) => order.post_id));
  const keys = await listPostKeys(database.db, [...postIds]);
  await database.transaction((tx) => pairReadings(tx, keys));
}

/**
 * All at once, and where that fails one by one: an order that can't be stored keeps no other one waiting.
 * @throws the failure when none could be stored
 */
export async function eachAlone<Key extends OrderKey>(
  { log }: Pick<Deps, 'log'>,
  keys: readonly Key[],
  store: (keys: readonly Key[]) => Promise<void>,
): Promise<void> {
  if (keys.length === 0) return;
  try {
    return await store(keys);
  } catch (error) {
    if (keys.length === 1) throw error;
  }
  let stored = 0;
  let failure: unknown;
  for (const key of keys) {
    try {
      await store([key]);
      stored += 1;
    } catch (error) {
      failure = error;
      log.error('news of an order not stored', { orderId: key.id, error });
    }
  }
  if (stored === 0) throw failure;
}

/** Likes that were there stay in our books; I4 compares them with the provider's. */
export function reportTakenBack(log: Deps['log'], advanced: readonly Advanced[]): void {
  for (const { order, takenBack } of advanced) {
    if (!takenBack) continue;
    const { delivered, before } = takenBack;
    const reason = `${before} likes delivered, then ${delivered}`;
    log.error('provider takes likes back', { orderId: order.id, reason });
  }
}

/**
 * The states of a list that can be read; the others are logged and left to the next poll, so that one
 * order's nonsense isn't repeated with 99 others for ever.
 */
export function readableProgress(log: Deps['log'], states: readonly unknown[]): ProviderProgress[] {
  return states.flatMap((state) => {
    const read = v.safeParse(ProviderProgress, state);
    if (read.success) return [read.output];
    log.error('state of an order not readable', { reason: read.issues[0].message });
    return [];
  });
}

/** Takes in the events of the provider; refs that aren't ours are ignored. */
export async function receiveEvents(
  deps: NewsDeps,
  events: readonly ProviderProgress[],
): Promise<void> {
  const refs = events.map(({ ref }) => ref).filter(isUuid);
  await applyNews(deps, await listOrderKeys(deps.database.db, refs), events);
}

/** One batch may carry several states of an order: only the newest counts. */
export function newestByRef(news: readonly ProviderProgress[]): Map<string, ProviderProgress> {
  const newest = new Map<string, ProviderProgress>();
  for (const each of news) {
    const known = newest.get(each.ref);
    if (!known || known.seq < each.seq) newest.set(each.ref, each);
  }
  return newest;
}
