import {
  amountRange,
  moneyBackArithmetic,
  type MoneyBackParts,
} from '#shared/domain/money/money-back-words.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { type ServiceCreditDay, shiftReason } from '#shared/domain/money/shift-reason.ts';
import type { SubscriptionFacts } from './billing-mails.ts';
import { zoneTime } from '#shared/domain/time-zone.ts';
import { dateInWords } from '#shared/domain/words/date-in-words.ts';
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
  const day = dateInWords(endsAt, timeZone);
  const paragraphs = isPaused
    ? [
        `Your plan is paused. After the pause, new posts by @${igUsername} get likes until ${day}, which you’ve paid for. After that, nothing is delivered or charged.`,
        'If you resume early, it stops earlier by the same number of days. Once it’s running again, you can undo the stop.',
      ]
    : [
        `New posts by @${igUsername} get likes until ${day}. After that, nothing is delivered or charged.`,
        'You can undo this any time before that day.',
      ];
  return {
    subject: `Your plan for @${igUsername} stops on ${day}`,
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
    subject: `Your plan for @${igUsername} has stopped`,
    heading: 'Your plan has stopped',
    paragraphs: [
      `As of ${dateInWords(stoppedAt, timeZone)}, new posts by @${igUsername} no longer get likes. Your card won’t be charged again.`,
      'Orders in progress will finish. The remaining days aren’t refunded.',
      'You can still see your posts, receipts and payments.',
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
    subject: `Your plan for @${igUsername} needs another account`,
    heading: 'Your plan is paused',
    paragraphs: [
      `Someone else has proved that @${igUsername} is theirs, so your plan no longer delivers to it. You won’t be charged in the meantime, and you keep the days you have left.`,
      `To give your plan another account, go to Manage account and choose Change username. It resumes right away. Without one, it ends on ${dateInWords(until, timeZone)}.`,
      'Is the account yours? You can prove that too: reply to this email, or write to us with the support form.',
    ],
    action: subscriptions(publicUrl),
  };
}

/** Nobody has the account of a displaced plan any more. */
export function accountFreeMail(
  { igUsername, timeZone }: SubscriptionFacts,
  until: Date,
  publicUrl: string,
): MailContent {
  return {
    subject: `Your plan for @${igUsername} can resume`,
    heading: 'Your plan can resume',
    paragraphs: [
      `No one else has a plan for @${igUsername} now. To get likes on it again, go to Manage account and choose Resume.`,
      `Until then, your plan stays paused. It ends on ${dateInWords(until, timeZone)}.`,
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
  const dayOf = (instant: string): string => dateInWords(new Date(instant), timeZone);
  const day = dayOf(pause.resumesAt);
  const from = pause.pausesAt === undefined ? '' : ` from ${dayOf(pause.pausesAt)},`;
  const charged =
    pause.nextBillingAt === undefined
      ? 'You won’t be charged until then.'
      : `Your next charge is on ${dayOf(pause.nextBillingAt)}. Each full paused day without an order moves it one day later.`;
  return {
    subject: `Your plan for @${igUsername} is paused until ${day}`,
    heading: `Paused until ${day}`,
    paragraphs: [
      `New posts by @${igUsername} get no likes${from} until ${day}. On that day your plan resumes on its own.`,
      charged,
      `Dates are in ${zoneTime(timeZone)}.`,
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
    subject: `Your plan for @${igUsername} continues`,
    heading: 'Your plan continues',
    paragraphs: [
      `New posts by @${igUsername} get ${likes} likes each.`,
      `Your next payment is due on ${dateInWords(nextBillingAt, timeZone)}.`,
    ],
    action: subscriptions(publicUrl),
  };
}

/** Days were given back. */
export function fairDaysMail(
  { igUsername, timeZone }: SubscriptionFacts,
  given: { days: readonly ServiceCreditDay[]; until: Date; isStopping: boolean },
  publicUrl: string,
): MailContent {
  const added =
    given.days.length === 1
      ? '1 day of service credit'
      : `${given.days.length} days of service credit`;
  const day = dateInWords(given.until, timeZone);
  return {
    subject: `${added} for @${igUsername}`,
    heading: `${added} for your plan`,
    paragraphs: [
      shiftReason(igUsername, given.days),
      given.isStopping
        ? `Your plan now stops on ${day}. You won’t be charged again.`
        : `Your next payment is now due on ${day}. There’s nothing you need to do.`,
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
  const day = dateInWords(step.at, timeZone);
  const words = {
    Requested: {
      subject: `Money back: we got your request for ${range}`,
      heading: `You asked for ${range} back`,
      body: `Likes for @${igUsername} have stopped. We’ll approve your request no later than ${day}, no questions asked.`,
    },
    Approved: {
      subject: `Money back: ${amount} approved`,
      heading: `${amount} is on its way back`,
      body: `Approved on ${day}. The money reaches your bank within 7 to 10 business days.`,
    },
    Paid: {
      subject: `Money back: ${amount} paid`,
      heading: `We returned ${amount}`,
      body: `Sent on ${day}, to the card that paid for @${igUsername}. The money reaches your bank within 7 to 10 business days.`,
    },
  }[step.step];
  const isOpen = step.amountCents < step.mostCents;
  return {
    subject: words.subject,
    heading: words.heading,
    paragraphs: [
      words.body,
      ...(step.parts ? [moneyBackArithmetic(step.parts)] : []),
      ...(isOpen
        ? ['When we approve it, we’ll add back what orders in progress didn’t deliver.']
        : []),
    ],
    action: subscriptions(publicUrl),
  };
}
