import type { OutboxItem } from '#web/replica/store/outbox-item.ts';
import { postsInWords } from '#web/ui/words/figures.ts';

/** How a change stands that isn't done yet, in one true sentence. */
export function waitingSentence(item: OutboxItem, isReachable: boolean): string {
  switch (item.state.kind) {
    case 'queued':
      if (isReachable && item.state.deferred) {
        return `Delayed: ${item.state.deferred.message} We’ll send it again.`;
      }
      if (isReachable && item.state.undo) return 'Will be sent in a few seconds';
      return isReachable ? 'Being sent' : 'Waiting for the network';
    case 'sending':
      return isReachable
        ? 'Being sent'
        : 'Sent, but we got no answer. We’ll send it again. It won’t happen twice.';
    case 'failed':
      return item.state.message;
    case 'accepted':
      return 'Done';
    default:
      return item.state satisfies never;
  }
}

/** "2 waiting, 1 refused". */
export function waitingCountInWords(items: readonly OutboxItem[]): string {
  const refused = items.filter(({ state }) => state.kind === 'failed').length;
  const waiting = items.length - refused;
  const parts = [waiting > 0 && `${waiting} waiting`, refused > 0 && `${refused} refused`];
  return parts.filter(Boolean).join(', ');
}

/** The extra likes of a post that aren't ordered yet; undefined when there are none. */
export function waitingLikes(
  items: readonly OutboxItem[],
  postId: string,
  isReachable: boolean,
): { sentence: string; tone: 'wait' | 'bad' } | undefined {
  const ofPost = items.filter(
    ({ name, args }) => name === 'orderLikes' && args['postId'] === postId,
  );
  const refused = ofPost.filter(({ state }) => state.kind === 'failed');
  const pending = ofPost.filter(({ state }) => state.kind !== 'failed');
  if (pending.length > 0) {
    const likes = sum(pending);
    return {
      sentence: `${likes} extra likes: ${isReachable ? onTheWay(pending) : 'waiting for the network'}.`,
      tone: 'wait',
    };
  }
  if (refused.length === 0) return undefined;
  return { sentence: `${sum(refused)} extra likes were refused.`, tone: 'bad' };
}

function onTheWay(items: readonly OutboxItem[]): string {
  if (items.every(isUndoable)) return 'sent in a few seconds';
  return items.every(isDeferred) ? 'delayed by the server' : 'being sent';
}

const isUndoable = ({ state }: OutboxItem): boolean =>
  state.kind === 'queued' && state.undo !== undefined;
const isDeferred = ({ state }: OutboxItem): boolean =>
  state.kind === 'queued' && state.deferred !== undefined;

function sum(items: readonly OutboxItem[]): string {
  return items.reduce((all, { args }) => all + Number(args['likes']), 0).toLocaleString('en-US');
}

/** The orders that can still be undone, and until when; undefined when there are none. */
export function undoable(
  items: readonly OutboxItem[],
  nowMs: number,
): { ids: string[]; words: string; untilMs: number } | undefined {
  const open = items.flatMap((item) => {
    const undo = item.state.kind === 'queued' ? item.state.undo : undefined;
    const isOpen = undo && nowMs < undo.untilMs && nowMs >= undo.atMs;
    return isOpen ? [{ item, untilMs: undo.untilMs }] : [];
  });
  if (open.length === 0) return undefined;
  const orders = open.map(({ item }) => item);
  return {
    ids: orders.map(({ id }) => id),
    words: `${sum(orders)} likes for ${postsInWords(orders.length)}`,
    untilMs: Math.min(...open.map(({ untilMs }) => untilMs)),
  };
}
