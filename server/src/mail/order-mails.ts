import { inWords } from '#shared/domain/delivery/delivery-promise.ts';
import type { PostId } from '#shared/domain/ids.ts';
import type { MailContent } from './mail-layout.ts';

/** The order a mail is about. */
export interface OrderFacts {
  igUsername: string;
  /** Likes ordered, bonus included. */
  ordered: number;
  delivered: number;
  /** A sentence. */
  reason: string | undefined;
  /**
   * For the likes that are missing: bought credits always return; of plan likes their value, or nothing
   * where the customer's side caused it (D7).
   */
  returns: 'credits' | 'value' | 'nothing';
}

const count = (likes: number): string => likes.toLocaleString('en-US');

const WHAT_RETURNS: Record<OrderFacts['returns'], string> = {
  credits: 'The credits for likes you didn’t get come back within the hour.',
  value:
    'Likes that didn’t arrive come back as credits of the same value. Your receipt shows how many within the hour.',
  nothing: 'Plan likes don’t come back when a post or its account can no longer be seen.',
};

/** An order ended with fewer likes than ordered. */
export function partlyDeliveredMail(order: OrderFacts, publicUrl: string): MailContent {
  return {
    subject: `${count(order.delivered)} of ${count(order.ordered)} likes delivered for @${order.igUsername}`,
    heading: `${count(order.delivered)} of ${count(order.ordered)} likes were delivered`,
    paragraphs: [
      `An order for a post by @${order.igUsername} ended early.`,
      ...(order.reason === undefined ? [] : [order.reason]),
      WHAT_RETURNS[order.returns],
    ],
    action: { label: 'See the receipt', url: `${publicUrl}/dashboard` },
  };
}

/** Orders that were delivered in full, together. */
export interface DeliveredFacts {
  /** Of the accounts whose posts got them, each once; at least one. */
  igUsernames: string[];
  posts: number;
  /** Likes ordered, without bonus. */
  ordered: number;
  bonus: number;
  delivered: number;
  /** From the order to its last like, in milliseconds; the longest of them. */
  tookMs: number;
  /** The post of one of them. */
  postId: PostId;
}

/** Likes are done: one order, or several that ended within a few minutes. */
export function likesDeliveredMail(done: DeliveredFacts, publicUrl: string): MailContent {
  const [first = '', ...others] = done.igUsernames;
  const whom = others.length === 0 ? `@${first}` : `${done.igUsernames.length} accounts`;
  const isOne = done.posts === 1;
  const likes = count(done.delivered);
  const parts =
    done.bonus === 0
      ? `All ${count(done.ordered)} you ordered arrived.`
      : `${count(done.ordered)} were ordered, and ${count(done.bonus)} more came as a bonus.`;
  const took = inWords(done.tookMs);
  return {
    subject: `Likes delivered for ${whom}`,
    heading: `${likes} likes delivered`,
    paragraphs: [
      isOne
        ? `Your post on @${first} got ${likes} likes.`
        : `${count(done.posts)} posts on ${others.length === 0 ? whom : listed(done.igUsernames)} got ${likes} likes.`,
      parts,
      isOne
        ? `It took ${took} from the order to the last like.`
        : `The longest took ${took} from the order to the last like.`,
      'You can turn this email off in your account settings, under Notifications.',
    ],
    action: isOne
      ? {
          label: 'See this receipt',
          url: `${publicUrl}/dashboard?post=${encodeURIComponent(done.postId)}`,
        }
      : { label: 'See your receipts', url: `${publicUrl}/dashboard` },
  };
}

const LISTED_LIMIT = 3;

/** "@ada, @ben and 5 others". */
function listed(igUsernames: readonly string[]): string {
  const names = igUsernames.slice(0, LISTED_LIMIT).map((name) => `@${name}`);
  const more = igUsernames.length - names.length;
  const last = more === 0 ? names.pop() : more === 1 ? '1 other' : `${count(more)} others`;
  return `${names.join(', ')} and ${last}`;
}
