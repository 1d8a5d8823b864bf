import type { MailContent } from './mail-layout.ts';

/** The order a mail is about. */
export interface OrderFacts {
  igUsername: string;
  /** Likes ordered, bonus included. */
  ordered: number;
  delivered: number;
  /** A sentence. */
  reason: string | undefined;
}

const count = (likes: number): string => likes.toLocaleString('en-US');

/** An order ended with fewer likes than ordered. */
export function partlyDeliveredMail(order: OrderFacts, publicUrl: string): MailContent {
  return {
    subject: `${count(order.delivered)} of ${count(order.ordered)} likes delivered for @${order.igUsername}`,
    heading: `${count(order.delivered)} of ${count(order.ordered)} likes were delivered`,
    paragraphs: [
      `An order for a post by @${order.igUsername} ended early.`,
      ...(order.reason === undefined ? [] : [order.reason]),
      'What you paid for and didn’t get comes back as credits within the hour.',
    ],
    action: { label: 'See the receipt', url: `${publicUrl}/dashboard` },
  };
}
