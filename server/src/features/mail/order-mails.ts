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
  value: 'What they cost comes back as credits. Within the hour, your receipt shows how many.',
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
