import { formatCents } from '#shared/domain/money.ts';
import type { ChargeFacts } from './billing-mails.ts';
import { dateInWords } from '#shared/domain/date-in-words.ts';
import type { MailContent } from './mail-layout.ts';

const payment = ({ description, igUsername, paidAt, timeZone, chargeId }: ChargeFacts): string =>
  `The payment: ${description}${igUsername === null ? '' : ` for @${igUsername}`}, paid on ${dateInWords(paidAt, timeZone)}, receipt number ${chargeId}.`;

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
  dispute: { amountCents: number; takenCredits: number; outcome: 'lost' | 'won' },
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
      `${card} can be used here again. A plan that was stopped stays stopped until you start it again.`,
    ],
    action,
  };
}
