import { creditsTooLowSentence } from '#shared/domain/money/credit-packages.ts';
import { MUTATION_VERSION } from '#shared/sync/version.ts';
import { discardChange, queueChange } from './outbox.ts';
import type { UndoTime } from '../store/outbox-item.ts';
import { listRows } from '../store/read-rows.ts';
import type { StoreReader, StoreWriter } from '../store/sync-store.ts';
import { type PendingChange, patchesOf } from './pending-change.ts';

/** Extra likes for one post. */
export interface LikesIntent {
  igId: string;
  igUsername: string;
  postId: string;
  shortCode: string;
  caption: string;
  likes: number;
  /** When the post was made, in words: posts without a caption are told apart by it. */
  postedAtInWords: string;
}

const CAPTION_LETTERS = 40;

/** An order in the customer's words. */
export function likesTitle({ likes, caption, igUsername, postedAtInWords }: LikesIntent): string {
  const letters = Array.from(caption.trim());
  const cut = letters.length > CAPTION_LETTERS ? '…' : '';
  const post =
    letters.length > 0 ? `“${letters.slice(0, CAPTION_LETTERS).join('')}${cut}”` : 'a post';
  return `${likes.toLocaleString('en-US')} extra likes for ${post} of @${igUsername}, posted ${postedAtInWords}`;
}

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
  orders: ReadonlyArray<{ intent: LikesIntent; id: string }>,
  nowMs: number,
): Promise<UndoableOrders> {
  const total = orders.reduce((sum, { intent }) => sum + intent.likes, 0);
  const refused = await refuseBeyondCredits(tx, total);
  if (refused) return refused;
  const undo: UndoTime = { atMs: nowMs, untilMs: nowMs + UNDO_MS };
  for (const { intent, id } of orders) {
    const { igId, postId, shortCode, likes } = intent;
    const args = { orderId: id, igId, postId, shortCode, likes };
    const change: PendingChange = { name: 'orderLikes', args };
    const item = { id, title: likesTitle(intent), madeAt: nowMs, ...change, v: MUTATION_VERSION };
    await queueChange(tx, item, await patchesOf(tx, change), undo);
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
