import type { Bank } from './intents/bank.ts';
import type { CardStore, CardStoreDeps } from './card-store.ts';
import type { CardMethod } from './methods.ts';
import { chargeIdOf, type Charges, openCharges, intentIdOf } from './charges.ts';
import { type Disputes, openDisputes } from './disputes.ts';
import { type FormFields, amountField, textField, textGroup } from './form.ts';
import {
  type GatewayAnswer,
  done,
  getRow,
  invalid,
  missing,
  unknownObject,
  listPage,
  preparePage,
} from './gateway-answer.ts';
import { openPaymentIntents, type PaymentIntents } from './intents/payment-intents.ts';
import type { Stripe } from 'stripe';
import { REFUND_EMPTY } from './never-filled.ts';
import { metadataOf, secondsOf, textOr } from './row.ts';
import { CALLED_BACK, INTENTS } from './schema.ts';

/** Payment intents, what was charged and given back for them, and disputes. */
export interface Payments extends PaymentIntents, Charges, Disputes {
  createRefund(fields: FormFields): GatewayAnswer;
  readRefund(id: string): GatewayAnswer;
  listRefunds(query: Record<string, string>): GatewayAnswer;
}

export function openPayments(deps: CardStoreDeps, store: CardStore, bank: Bank): Payments {
  const charges = openCharges(deps, store);
  const charge = (intentId: string): object => charges.findCharge(chargeIdOf(intentId)) ?? {};
  const disputes = openDisputes(deps);
  const onPaid = (id: string, { behaviour }: CardMethod): void => {
    if (behaviour === 'disputed') disputes.openDispute({ charge: id });
  };
  return {
    ...charges,
    ...disputes,
    ...openPaymentIntents(deps, { store, bank, onPaid }),
    ...openRefunds(deps, (intentId, isAll) => {
      deps.tell('charge.refunded', charge(intentId));
      if (isAll) disputes.closeInquiries(intentId);
    }),
  };
}

/** Refunds of paid intents; none while a bank has called one back. Their table must exist before intents are read. */
function openRefunds(
  { db, now, newId, pattern }: CardStoreDeps,
  onRefunded: (intentId: string, isAll: boolean) => void,
) {
  const intent = db.prepare(`${INTENTS} where id = ?`);
  const insert =
    db.prepare(`insert into card_refund (id, intent, amount, reason, metadata, created_at)
    values (?, ?, ?, ?, ?, ?)`);
  const select = db.prepare('select * from card_refund where id = ?');
  const calledBack = db.prepare(CALLED_BACK);
  const list = preparePage(db, 'card_refund', 'intent');
  const show = (id: string): object => showRefund(getRow(select, 'refund', id));
  return {
    createRefund(fields: FormFields): GatewayAnswer {
      const charge = textField(fields, 'charge') ?? '';
      const intentId = textField(fields, 'payment_intent') ?? intentIdOf(charge);
      if (!intentId) throw missing('payment_intent');
      const paid = intent.get(intentId);
      if (!paid) throw unknownObject('payment_intent', intentId, 400);
      const { cents, open } = calledBack.get(intentId) ?? {};
      if (Number(open) > 0) {
        throw invalid('payment_intent', 'The charge has been charged back.', 'charge_disputed');
      }
      const { amount, left } = refundAmount(paid, Number(cents), fields);
      const id = newId('re');
      const reason = textField(fields, 'reason') ?? null;
      const metadata = JSON.stringify(textGroup(fields, 'metadata'));
      insert.run(id, intentId, amount, reason, metadata, now());
      onRefunded(intentId, amount === left);
      return done(show(id));
    },
    readRefund: (id: string): GatewayAnswer => done(show(id)),
    listRefunds(query: Record<string, string>): GatewayAnswer {
      const filter = query['payment_intent'];
      const url = '/v1/refunds';
      return listPage(list, query, { url, filter, pattern: pattern(), show: showRefund });
    },
  };
}

/** All that is left, also by banks, unless told; never more than that. @throws GatewayRefusal */
function refundAmount(
  paid: Record<string, unknown>,
  lostCents: number,
  fields: FormFields,
): { amount: number; left: number } {
  if (paid['status'] !== 'succeeded') {
    throw invalid('payment_intent', 'This PaymentIntent has no successful charge to refund.');
  }
  const left = Number(paid['amount']) - Number(paid['refunded']) - lostCents;
  if (left === 0) {
    throw invalid('payment_intent', 'Already refunded.', 'charge_already_refunded');
  }
  const amount = textField(fields, 'amount') === undefined ? left : amountField(fields);
  if (amount < 1) throw invalid('amount', 'Invalid positive integer');
  if (amount > left) {
    throw invalid('amount', `Refund amount (${amount}) is greater than what is left (${left}).`);
  }
  return { amount, left };
}

function showRefund(row: Record<string, unknown>): Stripe.Refund {
  const intent = String(row['intent']);
  return {
    id: String(row['id']),
    object: 'refund',
    ...REFUND_EMPTY,
    amount: Number(row['amount']),
    currency: 'usd',
    payment_intent: intent,
    charge: chargeIdOf(intent),
    reason: textOr(row['reason'], null),
    status: 'succeeded',
    metadata: metadataOf(row),
    created: secondsOf(row['created_at']),
  };
}
