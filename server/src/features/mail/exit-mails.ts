import {
  amountRange,
  moneyBackArithmetic,
  type MoneyBackParts,
} from '#shared/domain/money-back-words.ts';
import { formatCents } from '#shared/domain/money.ts';
import { type GivenDay, shiftReason } from '../fair-clock/shift-reason.ts';
import type { SubscriptionFacts } from './billing-mails.ts';
import { zoneInWords } from '#shared/domain/time-zone.ts';
import { formatDay } from './dates.ts';
import type { MailContent } from './mail-layout.ts';

const subscriptions = (publicUrl: string) => ({
  label: 'Open your subscriptions',
  url: `${publicUrl}/my-subscriptions`,
});

/** Stopping at the end of the period was asked for. */
export function endingMail(
  { igUsername, timeZone }: SubscriptionFacts,
  { endsAt, isPaused }: { endsAt: Date; isPaused: boolean },
  publicUrl: string,
): MailContent {
  const day = formatDay(endsAt, timeZone);
  const paragraphs = isPaused
    ? [
        `The plan is paused. When the pause ends, new posts of @${igUsername} receive likes until ${day}, which is paid for. After that nothing is delivered and nothing is charged.`,
        'Resume it earlier, and it stops as many days earlier. Once it goes on you can take the stop back.',
      ]
    : [
        `New posts of @${igUsername} receive likes until ${day}. After that nothing is delivered and nothing is charged.`,
        'You can take the stop back any time before that day.',
      ];
  return {
    subject: `The plan of @${igUsername} stops on ${day}`,
    heading: `Your plan stops on ${day}`,
    paragraphs,
    action: subscriptions(publicUrl),
  };
}

/** A plan was stopped at once. */
export function stoppedMail(
  { igUsername, timeZone }: SubscriptionFacts,
  stoppedAt: Date,
  publicUrl: string,
): MailContent {
  return {
    subject: `The plan of @${igUsername} has stopped`,
    heading: 'Your plan has stopped',
    paragraphs: [
      `Since ${formatDay(stoppedAt, timeZone)} new posts of @${igUsername} no longer receive likes, and the card is not charged again.`,
      'Orders under way finish. Nothing is paid back for the days left.',
      'Your posts, receipts and payments stay readable.',
    ],
    action: subscriptions(publicUrl),
  };
}

/** Somebody else has shown that the account is theirs. */
export function displacedMail(
  { igUsername, timeZone }: SubscriptionFacts,
  until: Date,
  publicUrl: string,
): MailContent {
  return {
    subject: `The plan of @${igUsername} waits for another account`,
    heading: 'Your plan is paused',
    paragraphs: [
      `Somebody has shown that @${igUsername} is their account, so your plan no longer delivers to it. Nothing is charged meanwhile, and the days that are left stay yours.`,
      `Give the plan another account under Manage account, Change username: it goes on at once. Without one it ends on ${formatDay(until, timeZone)}.`,
      'If the account is yours, you can show it too: answer this mail, or write to us from the support form.',
    ],
    action: subscriptions(publicUrl),
  };
}

/** A plan was paused until a day. */
export function pausedMail(
  { igUsername, timeZone }: SubscriptionFacts,
  pause: { pausesAt?: string; resumesAt: string; nextBillingAt?: string },
  publicUrl: string,
): MailContent {
  const dayOf = (instant: string): string => formatDay(new Date(instant), timeZone);
  const day = dayOf(pause.resumesAt);
  const from = pause.pausesAt === undefined ? '' : ` from ${dayOf(pause.pausesAt)}`;
  const charged =
    pause.nextBillingAt === undefined
      ? 'Nothing is charged until then.'
      : `The next charge is on ${dayOf(pause.nextBillingAt)}: whole paused days without an order move it.`;
  return {
    subject: `The plan of @${igUsername} is paused until ${day}`,
    heading: `Paused until ${day}`,
    paragraphs: [
      `New posts of @${igUsername} receive no likes${from} until ${day}. On that day the plan goes on by itself.`,
      charged,
      `Dates are in ${zoneInWords(timeZone)} time.`,
    ],
    action: subscriptions(publicUrl),
  };
}

/** A pause has ended, or a stop was taken back. */
export function resumedMail(
  { igUsername, likes, timeZone }: SubscriptionFacts,
  nextBillingAt: Date,
  publicUrl: string,
): MailContent {
  return {
    subject: `The plan of @${igUsername} goes on`,
    heading: 'Your plan goes on',
    paragraphs: [
      `New posts of @${igUsername} receive ${likes} likes each.`,
      `The next payment is due on ${formatDay(nextBillingAt, timeZone)}.`,
    ],
    action: subscriptions(publicUrl),
  };
}

/** Days were given back. */
export function fairDaysMail(
  { igUsername, timeZone }: SubscriptionFacts,
  given: { days: readonly GivenDay[]; until: Date; isStopping: boolean },
  publicUrl: string,
): MailContent {
  const added =
    given.days.length === 1
      ? '1 day of service credit'
      : `${given.days.length} days of service credit`;
  const day = formatDay(given.until, timeZone);
  return {
    subject: `${added} for the plan of @${igUsername}`,
    heading: `${added} for your plan`,
    paragraphs: [
      shiftReason(igUsername, given.days),
      given.isStopping
        ? `The plan now stops on ${day}; nothing more is charged.`
        : `The next payment is now due on ${day}. You need not do anything.`,
    ],
    action: subscriptions(publicUrl),
  };
}

/** A step of the money-back guarantee. */
export function moneyBackMail(
  { igUsername, timeZone }: SubscriptionFacts,
  step: {
    step: 'Requested' | 'Approved' | 'Paid';
    amountCents: number;
    mostCents: number;
    parts?: MoneyBackParts;
    at: Date;
  },
  publicUrl: string,
): MailContent {
  const range = amountRange(step.amountCents, step.mostCents);
  const amount = formatCents(step.amountCents);
  const day = formatDay(step.at, timeZone);
  const words = {
    Requested: {
      subject: `Money back: we have your request for ${range}`,
      heading: `You asked for ${range} back`,
      body: `Likes for @${igUsername} have stopped. Your request is approved by ${day} at the latest, without questions.`,
    },
    Approved: {
      subject: `Money back: ${amount} approved`,
      heading: `${amount} is on its way back`,
      body: `Approved on ${day}. Banks take 7 to 10 business days to show the money on your card.`,
    },
    Paid: {
      subject: `Money back: ${amount} paid`,
      heading: `We returned ${amount}`,
      body: `Returned on ${day} to the card that paid for the plan of @${igUsername}. Banks take 7 to 10 business days to show it.`,
    },
  }[step.step];
  const isOpen = step.amountCents < step.mostCents;
  return {
    subject: words.subject,
    heading: words.heading,
    paragraphs: [
      words.body,
      ...(step.parts ? [moneyBackArithmetic(step.parts)] : []),
      ...(isOpen ? ['What orders under way no longer deliver is added when it is approved.'] : []),
    ],
    action: subscriptions(publicUrl),
  };
}
