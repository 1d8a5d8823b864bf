import type { ProviderProgress } from '#shared/contract/provider-protocol.ts';
import type { Deps } from '../../deps.ts';
import type { LikeOrderRow } from '../orders/like-order.repository.ts';
import { advanceOrder } from './advance-order.ts';
import { listOrderKeys, lockOrders } from './delivery.repository.ts';
import { storeAdvanced } from './advanced-order.repository.ts';

type NewsDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/**
 * Applies news about orders, whoever brought it. No fence is needed: the rows are locked and `seq` says
 * what is newer, so the same news twice, late or out of order changes nothing.
 */
export async function applyNews(
  deps: NewsDeps,
  keys: readonly Pick<LikeOrderRow, 'workspace_id' | 'id'>[],
  news: readonly ProviderProgress[],
): Promise<void> {
  if (keys.length === 0) return;
  const byRef = newestByRef(news);
  await deps.database.transaction(async (tx) => {
    const at = new Date(deps.clock.now());
    const advanced = (await lockOrders(tx, keys)).flatMap((order) => {
      const latest = byRef.get(order.id);
      return (latest && advanceOrder(order, latest, at)) ?? [];
    });
    await storeAdvanced(tx, deps.ids, advanced, at);
  });
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Takes in the events of the provider; refs that aren't ours are ignored. */
export async function receiveEvents(
  deps: NewsDeps,
  events: readonly ProviderProgress[],
): Promise<void> {
  const refs = events.map(({ ref }) => ref).filter((ref) => UUID.test(ref));
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
