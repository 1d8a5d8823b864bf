import { formatCents } from '#shared/domain/money/money.ts';
import { receiptNumber } from '#shared/domain/money/receipt-number.ts';
import type { ChargeFacts } from './billing-mails.ts';
import { dateInWords } from '#shared/domain/words/date-in-words.ts';
import type { DisputeNotice } from '#server/kit/db/tables/owed-mail.table.ts';
import type { MailContent } from './mail-layout.ts';

const payment = ({ description, igUsername, paidAt, timeZone, chargeId }: ChargeFacts): string =>
  `The payment: ${description}${igUsername === null ? '' : ` for @${igUsername}`}, paid on ${dateInWords(paidAt, timeZone)}, receipt number ${receiptNumber(chargeId)}.`;

const credits = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'credit' : 'credits'}`;

const are = (count: number): string => (count === 1 ? 'is' : 'are');

/** The bank has called a payment back. */
export function paymentDisputedMail(
  charge: ChargeFacts,
  dispute: { amountCents: number; takenCredits: number; isPlanStopped: boolean },
  publicUrl: string,
): MailContent {
  const amount = formatCents(dispute.amountCents);
  const { takenCredits } = dispute;
  return {
    subject: `Your bank disputed a payment of ${amount}`,
    heading: `Your bank disputed ${amount}`,
    paragraphs: [
      payment(charge),
      ...(dispute.isPlanStopped
        ? ['The plan stopped today. New posts get no likes, and orders in progress were stopped.']
        : []),
      ...(takenCredits > 0
        ? [
            `${credits(takenCredits)} from this payment ${are(takenCredits)} out of your balance until your bank decides.`,
          ]
        : []),
      `Until then, your ${charge.brand} card ending in ${charge.lastDigits} can’t be used here, and we can’t return any money. You can pay with another card.`,
      'If you didn’t mean to dispute it, tell your bank.',
    ],
    action: { label: 'See all payments', url: `${publicUrl}/my-billing` },
  };
}

/** The bank has decided: `won`, the payment stands; `lost`, it has taken the money. */
export function disputeDecidedMail(
  charge: ChargeFacts,
  dispute: {
    amountCents: number;
    takenCredits: number;
    outcome: 'lost' | 'won';
    planUntil?: string;
  },
  publicUrl: string,
): MailContent {
  const amount = formatCents(dispute.amountCents);
  const { takenCredits, outcome } = dispute;
  const card = `Your ${charge.brand} card ending in ${charge.lastDigits}`;
  const action = { label: 'See all payments', url: `${publicUrl}/my-billing` };
  if (outcome === 'lost') {
    return {
      subject: `Your bank has returned ${amount} to you`,
      heading: `Your bank has returned ${amount} to you`,
      paragraphs: [
        payment(charge),
        ...(takenCredits > 0
          ? [`${credits(takenCredits)} from it ${are(takenCredits)} gone for good.`]
          : []),
        `${card} can no longer be used here. Other cards can.`,
      ],
      action,
    };
  }
  return {
    subject: `Your payment of ${amount} stands`,
    heading: 'Your bank has decided: the payment stands',
    paragraphs: [
      payment(charge),
      ...(takenCredits > 0
        ? [`${credits(takenCredits)} ${are(takenCredits)} back in your balance.`]
        : []),
      ...(dispute.planUntil === undefined
        ? [
            `${card} can be used here again. A plan that was stopped stays stopped until you start it again.`,
          ]
        : [
            `The plan that was stopped is running again, for the days it had left: until ${dateInWords(new Date(dispute.planUntil), charge.timeZone)}. It ends then, and you won’t be charged again unless you resume it.`,
            `${card} can be used here again.`,
          ]),
    ],
    action,
  };
}

/** What the operator has to do, or learns. */
export function disputeNoticeMail(notice: DisputeNotice): MailContent {
  const { step, chargeId, disputeId, gatewayChargeId } = notice;
  const amount = formatCents(notice.amountCents);
  const { heading, what } = NOTICES[step];
  return {
    subject: `${heading}: ${amount}`,
    heading: `${heading}: ${amount}`,
    paragraphs: [
      what,
      `Dispute ${disputeId} of payment ${gatewayChargeId} at the gateway; charge ${chargeId}, receipt number ${receiptNumber(chargeId)}.`,
    ],
  };
}

const NOTICES: Record<DisputeNotice['step'], { heading: string; what: string }> = {
  inquiry: {
    heading: 'A bank asks about a payment',
    what: 'No money has moved, and nothing was stopped. An answer at the gateway can keep it from becoming a dispute.',
  },
  open: {
    heading: 'A payment is disputed',
    what: 'Its plan and orders were stopped, its card is blocked, and no money goes back until the bank has decided. Please answer the bank at the gateway, which says until when.',
  },
  lost: {
    heading: 'A dispute is lost',
    what: 'The bank took the money. It is booked, and its card stays blocked.',
  },
  won: {
    heading: 'A dispute is over, and the payment stands',
    what: 'What was stopped or held because of it continues.',
  },
};
