import { creditsTooLowSentence } from '#shared/domain/credit-packages.ts';
import { MUTATION_VERSION } from '#shared/sync/mutations.ts';
import type { UndoTime } from '../local-db/outbox-item.ts';
import { discardChange, queueChange } from '../local-db/outbox.ts';
import { listRows } from '../local-db/read-rows.ts';
import type { StoreReader, StoreWriter } from '../local-db/sync-store.ts';
import type { Action } from './action.ts';
import { patchesOf } from './action-patches.ts';
import { type LikesWish, likesTitle } from './likes-wish.ts';

/** So long orders for many posts can be undone before anything is sent, ms. */
export const UNDO_MS = 10_000;

export interface Refused {
  kind: 'refused';
  code: string;
  message: string;
}

/** How orders for many posts stand: kept here for a time, or none of them made. */
export type UndoableOrders =
  | { kind: 'undoable'; itemIds: readonly string[]; untilMs: number }
  | Refused;

/** Queues an order for each post, or none when the credits shown here don't reach for all. */
export async function queueUndoable(
  tx: StoreWriter,
  orders: ReadonlyArray<{ wish: LikesWish; id: string }>,
  nowMs: number,
): Promise<UndoableOrders> {
  const total = orders.reduce((sum, { wish }) => sum + wish.likes, 0);
  const refused = await refuseBeyondCredits(tx, total);
  if (refused) return refused;
  const undo: UndoTime = { atMs: nowMs, untilMs: nowMs + UNDO_MS };
  for (const { wish, id } of orders) {
    const { igId, postId, shortCode, likes } = wish;
    const args = { orderId: id, igId, postId, shortCode, likes };
    const action: Action = { name: 'orderLikes', args };
    const item = { id, title: likesTitle(wish), madeAt: nowMs, ...action, v: MUTATION_VERSION };
    await queueChange(tx, item, await patchesOf(tx, action), undo);
  }
  return { kind: 'undoable', itemIds: orders.map(({ id }) => id), untilMs: undo.untilMs };
}

/** Discards all of these changes, or none when one isn't queued here any more. */
export async function takeBack(tx: StoreWriter, itemIds: readonly string[]): Promise<boolean> {
  for (const id of itemIds) {
    if ((await tx.getOutboxItem(id))?.state.kind !== 'queued') return false;
  }
  for (const id of itemIds) await discardChange(tx, id);
  return true;
}

/** Why an order can't be made with the credits shown here; undefined when it can, or nobody knows. */
export async function refuseBeyondCredits(
  tx: StoreReader,
  likes: number,
): Promise<Refused | undefined> {
  const credits = (await listRows(tx, 'wallet'))[0]?.['credits'];
  if (typeof credits !== 'number' || credits >= likes) return undefined;
  return { kind: 'refused', code: 'credits_too_low', message: creditsTooLowSentence(credits) };
}
