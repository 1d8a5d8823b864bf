import { Refusal } from '../refusal.ts';
import type { GatewayAnswer } from './gateway-answer.ts';
import { listPage } from './list-page.ts';
import { INTENTS } from './till-schema.ts';
import type { VaultNature } from './vault.ts';

/** Where a dispute stands, in Stripe's words; `warning_…` are inquiries, which move no money. */
export const DISPUTE_STATUSES = [
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'won',
  'lost',
] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

export interface DisputeEntry {
  id: string;
  /** The payment intent. */
  charge: string;
  amountCents: number;
  status: DisputeStatus;
}

export interface Disputes {
  listDisputes(query: Record<string, string>): GatewayAnswer;
  /** What the bank of a card does: calls back what is left, unless told. @throws Refusal */
  openDispute(dispute: {
    charge: string;
    amountCents?: number | undefined;
    status?: DisputeStatus | undefined;
  }): DisputeEntry;
  /** @throws Refusal */
  changeDispute(id: string, status: DisputeStatus): DisputeEntry;
  /** Of one payment, newest first. */
  disputesOf(charge: string): DisputeEntry[];
}

/** Disputes of paid intents. Their table must exist. */
export function openDisputes({ db, now, newId }: VaultNature): Disputes {
  const intent = db.prepare(`${INTENTS} where id = ?`);
  const insert = db.prepare(`insert into card_dispute (id, intent, amount, status, created_at)
    values (?, ?, ?, ?, ?)`);
  const change = db.prepare('update card_dispute set status = ? where id = ?');
  const select = db.prepare('select * from card_dispute where id = ?');
  const ofIntent = db.prepare('select * from card_dispute where intent = ? order by no desc');
  const page = db.prepare(`select card_dispute.*, card_method.last4, card_method.brand
    from card_dispute join card_intent on card_intent.id = card_dispute.intent
    join card_method on card_method.id = card_intent.method
    where ?1 is null and (?4 is null or card_dispute.created_at >= ?4)
      and (?2 is null or card_dispute.no < (select no from card_dispute where id = ?2))
    order by card_dispute.no desc limit ?3`);
  return {
    listDisputes: (query) =>
      listPage(page, query, {
        url: '/v1/disputes',
        filter: undefined,
        show: (row) => showDispute(row, query['expand[0]'] === 'data.charge'),
      }),
    openDispute({ charge, amountCents, status = 'needs_response' }) {
      const paid = intent.get(charge);
      if (!paid || paid['error'] !== null) throw new Refusal('input', 'charge: was not paid');
      const leftCents = Number(paid['amount']) - Number(paid['refunded']);
      const amount = amountCents ?? leftCents;
      if (amount < 1 || amount > leftCents) {
        throw new Refusal('input', `amountCents: ${leftCents} are left of this charge`);
      }
      const id = newId('dp');
      insert.run(id, charge, amount, status, now());
      return { id, charge, amountCents: amount, status };
    },
    changeDispute(id, status) {
      if (change.run(status, id).changes === 0) throw new Refusal('input', 'id: no such dispute');
      return toEntry(select.get(id) ?? {});
    },
    disputesOf: (charge) => ofIntent.all(charge).map(toEntry),
  };
}

function toEntry(row: Record<string, unknown>): DisputeEntry {
  return {
    id: String(row['id']),
    charge: String(row['intent']),
    amountCents: Number(row['amount']),
    status: row['status'] as DisputeStatus,
  };
}

/** `expand[]=data.charge`: the charge in place of its id; it knows the card. */
function showDispute(row: Record<string, unknown>, isExpanded: boolean): object {
  const { id, amount, intent, status, brand, last4 } = row;
  const chargeId = String(intent).replace('pi_', 'ch_');
  const card = { brand, last4, fingerprint: `fp${String(last4)}` };
  const details = { type: 'card', card };
  return {
    id,
    object: 'dispute',
    amount,
    currency: 'usd',
    payment_intent: intent,
    charge: isExpanded
      ? { id: chargeId, object: 'charge', payment_method_details: details }
      : chargeId,
    reason: 'fraudulent',
    status,
    created: Math.floor(Number(row['created_at']) / 1000),
    livemode: false,
  };
}
