import type { MailContent } from './mail-layout.ts';

/** The order a mail is about. */
export interface OrderFacts {
  igUsername: string;
  /** Likes ordered, bonus included. */
  ordered: number;
  delivered: number;
  /** A sentence. */
  reason: string | undefined;
  /** Bought credits always return; likes of a plan only where the customer's side didn't cause it. */
  kind: 'automatic' | 'credit';
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
      order.kind === 'credit'
        ? 'The credits for likes you didn’t get come back within the hour.'
        : 'Within the hour, your receipt shows the credits that come back.',
    ],
    action: { label: 'See the receipt', url: `${publicUrl}/dashboard` },
  };
}
