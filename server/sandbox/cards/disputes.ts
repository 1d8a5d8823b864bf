import type { Stripe } from 'stripe';
import { Refusal } from '../refusal.ts';
import { type FormFields, textField, textGroup } from './form.ts';
import {
  done,
  type GatewayAnswer,
  getRow,
  invalid,
  listPage,
  preparePage,
} from './gateway-answer.ts';
import type { CardStoreDeps } from './card-store.ts';
import { chargeIdOf } from './charges.ts';
import { DISPUTE_EMPTY, EVIDENCE_EMPTY } from './never-filled.ts';
import { secondsOf } from './row.ts';
import { CALLED_BACK, INTENTS } from './schema.ts';

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
type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

export interface DisputeEntry {
  id: string;
  /** The payment intent. */
  charge: string;
  amountCents: number;
  status: DisputeStatus;
}

export interface Disputes {
  listDisputes(query: Record<string, string>): GatewayAnswer;
  readDispute(id: string): GatewayAnswer;
  /** `evidence[…]` and `submit`: the product's side of it, which a bank then looks at. */
  answerDispute(id: string, fields: FormFields): GatewayAnswer;
  /** The product gives in. */
  closeDispute(id: string): GatewayAnswer;
  findDispute(id: string): object | undefined;
  /** What the bank of a card does: calls back what is left, unless told. @throws Refusal */
  openDispute(dispute: {
    charge: string;
    amountCents?: number | undefined;
    status?: DisputeStatus | undefined;
  }): DisputeEntry;
  /** @throws Refusal */
  changeDispute(id: string, status: DisputeStatus): DisputeEntry;
  /** Nothing is left of a payment: who asked about it has the answer. */
  closeInquiries(charge: string): void;
  /** Of one payment, newest first. */
  disputesOf(charge: string): DisputeEntry[];
}

/**
 * Disputes of paid intents, each change with its events. A bank calls back at most what is left. Their table
 * must exist.
 */
export function openDisputes(deps: CardStoreDeps): Disputes {
  const { db, now, newId, tell } = deps;
  const { insert, change, select, ofIntent, page, readLeft } = prepare(db);
  const get = (id: string): Record<string, unknown> => getRow(select, 'dispute', id);
  const tellOf = (id: string, types: readonly string[]): void => {
    for (const type of types) tell(`charge.dispute.${type}`, showDispute(get(id)));
  };
  const move = (row: Record<string, unknown>, status: DisputeStatus, evidence?: string): void => {
    const id = String(row['id']);
    const before = row['status'] as DisputeStatus;
    const leftCents = takes(before, status) ? (readLeft(String(row['intent'])) ?? 0) : Infinity;
    if (leftCents < 1) throw invalid('id', 'Nothing is left of this charge.');
    const amount = Math.min(leftCents, Number(row['amount']));
    change.run(status, amount, evidence ?? String(row['evidence']), id);
    tellOf(id, eventsOf(before, status));
  };
  return {
    listDisputes(query) {
      const list = { url: '/v1/disputes', filter: query['payment_intent'], show: showDispute };
      return listPage(page, query, { ...list, pattern: deps.pattern() });
    },
    readDispute: (id) => done(showDispute(get(id))),
    answerDispute(id, fields) {
      const row = get(id);
      const { status, evidence } = answered(row, fields);
      move(row, status, evidence);
      return done(showDispute(get(id)));
    },
    closeDispute(id) {
      move(get(id), 'lost');
      return done(showDispute(get(id)));
    },
    findDispute: (id) => select.all(id).map(showDispute).at(0),
    openDispute({ charge, amountCents, status = 'needs_response' }) {
      const leftCents = readLeft(charge);
      if (leftCents === undefined) throw new Refusal('input', 'charge: was not paid');
      const amount = amountCents ?? leftCents;
      if (amount < 1 || amount > leftCents) {
        throw new Refusal('input', `amountCents: ${leftCents} are left of this charge`);
      }
      const id = deps.asOwnerOf(charge, () => newId('dp'));
      insert.run(id, charge, amount, status, now());
      tellOf(id, TAKES.has(status) ? ['created', 'funds_withdrawn'] : ['created']);
      return { id, charge, amountCents: amount, status };
    },
    changeDispute(id, status) {
      const row = select.get(id);
      if (!row) throw new Refusal('input', 'id: no such dispute');
      move(row, status);
      return toEntry(get(id));
    },
    closeInquiries(charge) {
      for (const row of ofIntent.all(charge)) {
        if (INQUIRIES.has(String(row['status']))) move(row, 'warning_closed');
      }
    },
    disputesOf: (charge) => ofIntent.all(charge).map(toEntry),
  };
}

function prepare(db: CardStoreDeps['db']) {
  const insert = db.prepare(`insert into card_dispute (id, intent, amount, status, created_at)
    values (?, ?, ?, ?, ?)`);
  const change = db.prepare(
    'update card_dispute set status = ?, amount = ?, evidence = ? where id = ?',
  );
  const select = db.prepare('select * from card_dispute where id = ?');
  const ofIntent = db.prepare('select * from card_dispute where intent = ? order by no desc');
  const page = preparePage(db, 'card_dispute', 'intent');
  const intent = db.prepare(`${INTENTS} where id = ?`);
  const calledBack = db.prepare(CALLED_BACK);
  /** Less what was given back, and what banks have; undefined for what was not paid. */
  const readLeft = (id: string): number | undefined => {
    const paid = intent.get(id);
    if (paid?.['status'] !== 'succeeded') return undefined;
    return (
      Number(paid['amount']) - Number(paid['refunded']) - Number(calledBack.get(id)?.['cents'])
    );
  };
  return { insert, change, select, ofIntent, page, readLeft };
}

/** While one of these holds, or after `lost`, the money is with the cardholder's bank. */
const TAKES: ReadonlySet<DisputeStatus> = new Set(['needs_response', 'under_review', 'lost']);
const INQUIRIES: ReadonlySet<string> = new Set(['warning_needs_response', 'warning_under_review']);
const OPEN: ReadonlySet<string> = new Set(['needs_response', 'under_review', ...INQUIRIES]);

const takes = (before: DisputeStatus, after: DisputeStatus): boolean =>
  TAKES.has(after) && !TAKES.has(before);

const SUBMITTED: Partial<Record<DisputeStatus, DisputeStatus>> = {
  needs_response: 'under_review',
  warning_needs_response: 'warning_under_review',
};

/** Where it stands once the product has answered, with what it said so far. @throws GatewayRefusal */
function answered(
  row: Record<string, unknown>,
  fields: FormFields,
): { status: DisputeStatus; evidence: string } {
  const status = row['status'] as DisputeStatus;
  if (!OPEN.has(status)) throw invalid('id', 'This dispute is already closed.');
  const known = JSON.parse(String(row['evidence'])) as object;
  const evidence = JSON.stringify({ ...known, ...textGroup(fields, 'evidence') });
  const isSubmitted = textField(fields, 'submit') !== 'false';
  return { status: (isSubmitted && SUBMITTED[status]) || status, evidence };
}

function eventsOf(before: DisputeStatus, after: DisputeStatus): string[] {
  return [
    'updated',
    ...(takes(before, after) ? ['funds_withdrawn'] : []),
    ...(takes(after, before) ? ['funds_reinstated'] : []),
    ...(OPEN.has(after) ? [] : ['closed']),
  ];
}

function toEntry(row: Record<string, unknown>): DisputeEntry {
  return {
    id: String(row['id']),
    charge: String(row['intent']),
    amountCents: Number(row['amount']),
    status: row['status'] as DisputeStatus,
  };
}

function showDispute(row: Record<string, unknown>): Stripe.Dispute {
  const intent = String(row['intent']);
  const status = row['status'] as DisputeStatus;
  const evidence = JSON.parse(String(row['evidence'])) as object;
  return {
    id: String(row['id']),
    object: 'dispute',
    ...DISPUTE_EMPTY,
    amount: Number(row['amount']),
    currency: 'usd',
    payment_intent: intent,
    charge: chargeIdOf(intent),
    evidence: { ...EVIDENCE_EMPTY, ...evidence },
    evidence_details: evidenceDetails(row),
    is_charge_refundable: status.startsWith('warning_'),
    reason: 'fraudulent',
    status,
    created: secondsOf(row['created_at']),
  };
}

const ANSWER_SECONDS = 7 * 24 * 3600;

function evidenceDetails(row: Record<string, unknown>): Stripe.Dispute.EvidenceDetails {
  const hasEvidence = row['evidence'] !== '{}';
  return {
    due_by: secondsOf(row['created_at']) + ANSWER_SECONDS,
    enhanced_eligibility: {},
    has_evidence: hasEvidence,
    past_due: false,
    submission_count: hasEvidence ? 1 : 0,
    submission_method: 'manual',
  };
}
