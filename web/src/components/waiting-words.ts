import type { OutboxItem } from '../local-db/outbox-item.ts';

/** How a change stands that isn't done yet, in one true sentence. */
export function waitingSentence(item: OutboxItem, isReachable: boolean): string {
  switch (item.state.kind) {
    case 'queued':
      if (isReachable && item.state.putOff) {
        return `Delayed: ${item.state.putOff.message} We’ll send it again.`;
      }
      return isReachable ? 'Being sent' : 'Waiting for the network';
    case 'sending':
      return isReachable
        ? 'Being sent'
        : 'Sent, but we got no answer. We’ll send it again, and it’s never done twice.';
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
      sentence: isReachable
        ? `${likes} extra likes: ${pending.every(isPutOff) ? 'delayed by the server' : 'being sent'}.`
        : `${likes} extra likes: waiting for the network.`,
      tone: 'wait',
    };
  }
  if (refused.length === 0) return undefined;
  return { sentence: `${sum(refused)} extra likes were refused.`, tone: 'bad' };
}

const isPutOff = ({ state }: OutboxItem): boolean =>
  state.kind === 'queued' && state.putOff !== undefined;

function sum(items: readonly OutboxItem[]): string {
  return items.reduce((all, { args }) => all + Number(args['likes']), 0).toLocaleString('en-US');
}
