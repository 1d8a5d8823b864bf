import { AUTOMATIC_POSTS_PER_DAY } from '#shared/domain/delivery/automatic-likes.ts';
import { POSTS_IN_ADVANCE } from '#shared/domain/money/unpaid-posts.ts';
import { SPENT } from '#shared/domain/money/budget.ts';
import { whoseBudget } from '#shared/domain/money/budget-of.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { receiptNumber } from '#shared/domain/money/receipt-number.ts';
import type { Plan } from '#shared/domain/money/plans.ts';
import { dateInWords } from '#shared/domain/words/date-in-words.ts';
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
  `@${igUsername}, ${likes} likes per post`;

/** After each charge that went through. */
export function receiptMail(charge: ChargeFacts, publicUrl: string): MailContent {
  const amount = formatCents(charge.amountCents);
  const account = charge.igUsername === null ? '' : ` for @${charge.igUsername}`;
  return {
    subject: `Receipt: ${amount}${account}`,
    heading: `You paid ${amount}`,
    paragraphs: [
      `${charge.description}${account}.`,
      `Paid on ${dateInWords(charge.paidAt, charge.timeZone)}, with your ${card(charge)}.`,
      `Receipt number ${receiptNumber(charge.chargeId)}.`,
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
  const day = dateInWords(due.at, subscription.timeZone);
  return {
    subject: `@${subscription.igUsername} renews on ${day}, for ${amount}`,
    heading: `Your plan renews on ${day}`,
    paragraphs: [
      `${plan(subscription)}.`,
      `On ${day}, we’ll charge ${amount} to your saved card. There’s nothing you need to do.`,
      'You can pause, change or stop your plan before then. Stopping takes two clicks.',
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
      `New posts by @${igUsername} get ${plan.description} likes each.`,
      `Your plan costs ${formatCents(plan.priceCents)} a month.`,
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
  const day = dateInWords(startsAt, timeZone);
  const price = formatCents(plan.priceCents);
  return {
    subject: `Your plan for @${igUsername} changes on ${day}`,
    heading: `Your plan changes on ${day}`,
    paragraphs: [
      `Starting ${day}, you pay ${price} a month for ${plan.description} likes per post. Nothing changes until then.`,
      'You can keep your current plan any time before that day.',
    ],
    action: { label: 'Open your subscriptions', url: `${publicUrl}/my-subscriptions` },
  };
}

/** A renewal was declined by the bank, or its card is disputed; `nextTryAt` undefined: for the last time. */
export function paymentDeclinedMail(
  subscription: SubscriptionFacts,
  declined: {
    amountCents: number;
    nextTryAt: Date | undefined;
    postsWaitSince: Date | undefined;
    isCardDisputed: boolean;
  },
  publicUrl: string,
): MailContent {
  const amount = formatCents(declined.amountCents);
  const { igUsername, timeZone } = subscription;
  const { isCardDisputed } = declined;
  const isOver = declined.nextTryAt === undefined;
  const paragraphs =
    declined.nextTryAt === undefined
      ? [
          isCardDisputed
            ? `Your saved card can’t be used here, because a payment with it was disputed at the bank. So your plan for @${igUsername} has ended. You were not charged.`
            : `Your bank declined ${amount} again, so your plan for @${igUsername} has ended. You were not charged.`,
          'New posts no longer get likes. You can start a new plan whenever you like.',
        ]
      : [
          isCardDisputed
            ? `A payment with your saved card was disputed at the bank, so we can’t charge it ${amount} for ${plan(subscription)}. You were not charged.`
            : `Your bank declined ${amount} for ${plan(subscription)}. You were not charged.`,
          `We’ll try again on ${dateInWords(declined.nextTryAt, timeZone)}. ${waitingPosts(declined, timeZone)}`,
          isCardDisputed
            ? 'Replace the saved card with another one, and we’ll try again right away.'
            : 'Got a new card? Replace the saved one, and we’ll try again right away.',
        ];
  return {
    subject: isOver
      ? `Your plan for @${igUsername} has ended`
      : isCardDisputed
        ? `We can’t charge your saved card ${amount}`
        : `Your payment of ${amount} was declined`,
    heading: isOver
      ? `Your plan for @${igUsername} has ended`
      : isCardDisputed
        ? 'Your saved card can’t be used here'
        : 'Your payment was declined',
    paragraphs,
    action: isOver
      ? { label: 'Open your subscriptions', url: `${publicUrl}/my-subscriptions` }
      : { label: 'Replace card', url: `${publicUrl}/my-billing` },
  };
}

/** A bank wants its customer to confirm a renewal, at their next visit; `nextTryAt` undefined: it is too late. */
export function renewalToConfirmMail(
  subscription: SubscriptionFacts,
  renewal: {
    amountCents: number;
    nextTryAt: Date | undefined;
    until: Date;
    postsWaitSince: Date | undefined;
  },
  publicUrl: string,
): MailContent {
  const amount = formatCents(renewal.amountCents);
  const { igUsername, timeZone } = subscription;
  if (renewal.nextTryAt === undefined) {
    return {
      subject: `Your plan for @${igUsername} has ended`,
      heading: `Your plan for @${igUsername} has ended`,
      paragraphs: [
        `Your bank wanted you to confirm ${amount}, and that didn’t happen. You were not charged.`,
        'New posts no longer get likes. You can start a new plan whenever you like.',
      ],
      action: { label: 'Open your subscriptions', url: `${publicUrl}/my-subscriptions` },
    };
  }
  return {
    subject: `Your bank asks you to confirm ${amount}`,
    heading: 'Please confirm your payment',
    paragraphs: [
      `Your bank asks you to confirm ${amount} for ${plan(subscription)}. You were not charged.`,
      `Please confirm it by ${dateInWords(renewal.until, timeZone)}, or your plan ends. ${waitingPosts(renewal, timeZone)}`,
    ],
    action: { label: 'Confirm the payment', url: `${publicUrl}/my-billing` },
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
  const later = `Once it goes through, they get their likes: the first ${AUTOMATIC_POSTS_PER_DAY} of each day.`;
  return nextTryAt && since >= nextTryAt
    ? `Up to ${POSTS_IN_ADVANCE} new posts get their likes until then. Others wait for the payment. ${later}`
    : `Posts since ${dateInWords(since, timeZone)}, are waiting for the payment. ${later}`;
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
      `${charge.description}, receipt number ${receiptNumber(charge.chargeId)}.`,
      `The money is going back to your ${card(charge)}. It reaches your bank within 7 to 10 business days.`,
    ],
    action: { label: 'See all payments', url: `${publicUrl}/my-billing` },
  };
}

/** To every owner, whoever did it: it is how they learn that a card isn’t theirs any more. */
export function cardReplacedMail(
  { brand, lastDigits }: { brand: string; lastDigits: string },
  { publicUrl, supportEmail }: { publicUrl: string; supportEmail: string },
): MailContent {
  return {
    subject: 'Your saved card was replaced',
    heading: 'Your saved card was replaced',
    paragraphs: [
      `Plans are charged to the ${brand} card ending in ${lastDigits} from now on. Nothing was charged for this.`,
      `If this was you or someone you work with, you’re all set. If not, replace the card again, change your password, and write to ${supportEmail}.`,
    ],
    action: { label: 'Replace card', url: `${publicUrl}/my-billing` },
  };
}

/**
 * Much of a month's budget is spent, or waits for payment: an account's, a client's or, with neither, the workspace's.
 */
export function budgetSpentMail(
  budget: {
    igUsername: string | null;
    clientName?: string;
    limitCents: number;
    spentCents: number;
    until: string;
    timeZone: string;
  },
  publicUrl: string,
): MailContent {
  const { igUsername, clientName = null, limitCents, spentCents, timeZone } = budget;
  const limit = formatCents(limitCents);
  const isWorkspace = igUsername === null && clientName === null;
  const whose = isWorkspace ? '' : ` for ${whoseBudget({ igUsername, clientName })}`;
  const next = dateInWords(new Date(budget.until), timeZone);
  const isAll = spentCents >= limitCents;
  const percent = Math.floor((spentCents * 100) / limitCents);
  const told = isAll
    ? `This month’s budget${whose} is used up`
    : `${percent}% of this month’s budget${whose} is used`;
  return {
    subject: told,
    heading: told,
    paragraphs: [
      `${formatCents(spentCents)} of ${limit} ${SPENT}.`,
      isAll
        ? `Nothing more can be bought${whose} until ${next}. Renewals and likes continue.`
        : `Purchases beyond ${limit} are refused until ${next}. Renewals and likes continue.`,
    ],
    action: { label: 'Open Billing', url: `${publicUrl}/my-billing` },
  };
}
