import { amountField } from './amount.ts';
import type { FormFields } from './form.ts';
import { textField, textGroup } from './form.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import { done, invalid, missing, unknownObject } from './gateway-answer.ts';
import { listPage } from './list-page.ts';
import { INTENTS } from './till-schema.ts';
import type { VaultNature } from './vault.ts';

/** Refunds of paid intents; none while a bank has called one back. Their table must exist before intents are read. */
export function openRefunds({ db, now, newId }: VaultNature) {
  const intent = db.prepare(`${INTENTS} where id = ?`);
  const insert =
    db.prepare(`insert into card_refund (id, intent, amount, reason, metadata, created_at)
    values (?, ?, ?, ?, ?, ?)`);
  const select = db.prepare('select * from card_refund where id = ?');
  const calledBack = db.prepare(`select coalesce(sum(amount), 0) as cents,
      coalesce(sum(status in ('needs_response', 'under_review')), 0) as open
    from card_dispute where intent = ? and status in ('needs_response', 'under_review', 'lost')`);
  const list = db.prepare(`select * from card_refund where (?1 is null or intent = ?1)
    and (?4 is null or created_at >= ?4)
    and (?2 is null or no < (select no from card_refund where id = ?2)) order by no desc limit ?3`);
  const show = (id: string): object => {
    const row = select.get(id);
    if (!row) throw unknownObject('refund', id, 404);
    return showRefund(row);
  };
  return {
    createRefund(fields: FormFields): GatewayAnswer {
      const charge = textField(fields, 'charge')?.replace('ch_', 'pi_');
      const intentId = textField(fields, 'payment_intent') ?? charge;
      if (!intentId) throw missing('payment_intent');
      const paid = intent.get(intentId);
      if (!paid) throw unknownObject('payment_intent', intentId, 400);
      const { cents, open } = calledBack.get(intentId) ?? {};
      if (Number(open) > 0) {
        throw invalid('payment_intent', 'The charge has been charged back.', 'charge_disputed');
      }
      const amount = refundAmount(paid, Number(cents), fields);
      const id = newId('re');
      const reason = textField(fields, 'reason') ?? null;
      const metadata = JSON.stringify(textGroup(fields, 'metadata'));
      insert.run(id, intentId, amount, reason, metadata, now());
      return done(show(id));
    },
    readRefund: (id: string): GatewayAnswer => done(show(id)),
    listRefunds(query: Record<string, string>): GatewayAnswer {
      const filter = query['payment_intent'];
      return listPage(list, query, { url: '/v1/refunds', filter, show: showRefund });
    },
  };
}

/** All that is left, also by banks, unless told; never more than that. @throws GatewayRefusal */
function refundAmount(
  paid: Record<string, unknown>,
  lostCents: number,
  fields: FormFields,
): number {
  if (paid['error'] !== null) {
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
  return amount;
}

function showRefund(row: Record<string, unknown>): object {
  const { id, amount, intent, reason } = row;
  return {
    id,
    object: 'refund',
    amount,
    currency: 'usd',
    payment_intent: intent,
    charge: String(intent).replace('pi_', 'ch_'),
    reason,
    status: 'succeeded',
    metadata: JSON.parse(String(row['metadata'])) as unknown,
    created: Math.floor(Number(row['created_at']) / 1000),
  };
}
