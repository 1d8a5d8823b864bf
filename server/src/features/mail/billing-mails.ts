import { POSTS_IN_ADVANCE } from '#shared/domain/unpaid-posts.ts';
import { formatCents } from '#shared/domain/money.ts';
import type { Plan } from '#shared/domain/plans.ts';
import { formatDay } from './dates.ts';
import type { MailContent } from './mail-layout.ts';

/** The subscription a mail is about. */
export interface SubscriptionFacts {
  igUsername: string;
  /** Likes of the plan per post, as text: "1,000". */
  likes: string;
  timeZone: string;
}

/** The charge a mail is about. */
export interface ChargeFacts {
  description: string;
  igUsername: string | null;
  amountCents: number;
  brand: string;
  lastDigits: string;
  paidAt: Date;
  timeZone: string;
  chargeId: string;
}

const card = ({ brand, lastDigits }: ChargeFacts): string =>
  `${brand} card ending in ${lastDigits}`;

const plan = ({ igUsername, likes }: SubscriptionFacts): string =>
  `@${igUsername}: ${likes} likes for every new post`;

/** After each charge that went through. */
export function receiptMail(charge: ChargeFacts, publicUrl: string): MailContent {
  const amount = formatCents(charge.amountCents);
  const account = charge.igUsername === null ? '' : ` for @${charge.igUsername}`;
  return {
    subject: `Receipt: ${amount}${account}`,
    heading: `You paid ${amount}`,
    paragraphs: [
      `${charge.description}${account}.`,
      `Paid on ${formatDay(charge.paidAt, charge.timeZone)} with your ${card(charge)}.`,
      `Receipt number ${charge.chargeId}.`,
    ],
    action: { label: 'See all payments', url: `${publicUrl}/my-billing` },
  };
}

/** Three days before a renewal. */
export function renewalReminderMail(
  subscription: SubscriptionFacts,
  due: { amountCents: number; at: Date },
  publicUrl: string,
): MailContent {
  const amount = formatCents(due.amountCents);
  const day = formatDay(due.at, subscription.timeZone);
  return {
    subject: `@${subscription.igUsername} renews on ${day} for ${amount}`,
    heading: `Your plan renews on ${day}`,
    paragraphs: [
      `${plan(subscription)}.`,
      `On ${day} we charge ${amount} to your saved card. You need not do anything.`,
      'You can pause, change or stop the plan before then; stopping takes two clicks.',
    ],
    action: { label: 'Open your subscriptions', url: `${publicUrl}/my-subscriptions` },
  };
}

/** A plan holds that was paid for, or that its due date has brought. */
export function planChangedMail(
  { igUsername }: SubscriptionFacts,
  plan: Plan,
  publicUrl: string,
): MailContent {
  return {
    subject: `@${igUsername} now has ${plan.description} likes per post`,
    heading: 'Your plan has changed',
    paragraphs: [
      `New posts of @${igUsername} receive ${plan.description} likes each.`,
      `The plan costs ${formatCents(plan.priceCents)} each month.`,
    ],
    action: { label: 'Open your subscriptions', url: `${publicUrl}/my-subscriptions` },
  };
}

/** Another plan waits for the next due date. */
export function planChangePlannedMail(
  { igUsername, timeZone }: SubscriptionFacts,
  { plan, startsAt }: { plan: Plan; startsAt: Date },
  publicUrl: string,
): MailContent {
  const day = formatDay(startsAt, timeZone);
  const price = formatCents(plan.priceCents);
  return {
    subject: `The plan of @${igUsername} changes on ${day}`,
    heading: `Your plan changes on ${day}`,
    paragraphs: [
      `From ${day} you pay ${price} for ${plan.description} likes per post. Until then nothing changes.`,
      'You can keep your plan any time before that day.',
    ],
    action: { label: 'Open your subscriptions', url: `${publicUrl}/my-subscriptions` },
  };
}

/** A renewal was declined; `nextTryAt` undefined: for the last time. */
export function paymentDeclinedMail(
  subscription: SubscriptionFacts,
  declined: {
    amountCents: number;
    nextTryAt: Date | undefined;
    postsWaitSince: Date | undefined;
  },
  publicUrl: string,
): MailContent {
  const amount = formatCents(declined.amountCents);
  const { igUsername, timeZone } = subscription;
  const isOver = declined.nextTryAt === undefined;
  const paragraphs =
    declined.nextTryAt === undefined
      ? [
          `Your bank declined ${amount} again, so the plan of @${igUsername} has ended. Nothing was charged.`,
          'New posts no longer receive likes. You can start a plan again whenever you like.',
        ]
      : [
          `Your bank declined ${amount} for ${plan(subscription)}. Nothing was charged.`,
          `We try again on ${formatDay(declined.nextTryAt, timeZone)}. ${waitingPosts(declined, timeZone)}`,
          'If the card has changed, replace it and the payment is tried again at once.',
        ];
  return {
    subject: isOver
      ? `The plan of @${igUsername} has ended`
      : `Your payment of ${amount} was declined`,
    heading: isOver ? `The plan of @${igUsername} has ended` : 'Your payment was declined',
    paragraphs,
    action: isOver
      ? { label: 'Open your subscriptions', url: `${publicUrl}/my-subscriptions` }
      : { label: 'Replace the card', url: `${publicUrl}/my-billing` },
  };
}

/** Which posts are served, and which wait; nothing waits in mails from before posts did. */
function waitingPosts(
  {
    nextTryAt,
    postsWaitSince: since,
  }: { nextTryAt: Date | undefined; postsWaitSince: Date | undefined },
  timeZone: string,
): string {
  if (!since) return '';
  const later = 'They get their likes once it is paid, the first 4 of each day.';
  return nextTryAt && since >= nextTryAt
    ? `Until then up to ${POSTS_IN_ADVANCE} new posts get their likes. Others wait for the payment. ${later}`
    : `New posts wait for the payment since ${formatDay(since, timeZone)}. ${later}`;
}

/** Money returned to the card outside the money-back guarantee. */
export function refundMail(
  charge: ChargeFacts,
  amountCents: number,
  publicUrl: string,
): MailContent {
  const amount = formatCents(amountCents);
  return {
    subject: `Refund: ${amount}`,
    heading: `We returned ${amount}`,
    paragraphs: [
      `${charge.description}, receipt number ${charge.chargeId}.`,
      `The money goes back to your ${card(charge)}. Banks take 7 to 10 business days to show it.`,
    ],
    action: { label: 'See all payments', url: `${publicUrl}/my-billing` },
  };
}
