import { sql } from 'kysely';
import { isUuid } from '#shared/domain/ids.ts';
import type { CardGateway, GatewayCharge } from '#server/adapters/stripe/card-gateway.ts';
import type { Db } from '#server/kit/db/database.ts';
import { type ChargeState, OPEN_STATES } from '#server/kit/db/tables/charge.table.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';
import type { Violation } from './violation.ts';

/** The gateway's clock and ours differ by less. */
const CLOCK_SLACK_MS = HOUR_MS;

interface OwnCharge {
  id: string;
  state: ChargeState;
  amountCents: number;
  /** In the gateway's book for certain, and at most: what is owed may have taken effect. */
  refundedCents: number;
  refundableCents: number;
  /** Promised back, whatever became of it: what was rejected is still owed to the customer. */
  returnedCents: number;
  createdAt: Date;
  invoiceId: string;
  subscriptionEndedAt: Date | null;
  /** Its payment is listed, its credits are booked, or the plan that it is for has begun. */
  isDelivered: boolean;
}

/**
 * I5: per period at most one successful charge that was kept; the gateway's book equals ours to the cent,
 * both ways, refunds included; no charge after the end of a subscription that isn't refunded; nothing is given
 * for a charge that may still be declined. Charges made at or after `since` are compared.
 *
 * Ours are read first, so that the book is never behind them; what the book has more is looked up again.
 */
export async function checkCharges(
  db: Db,
  gateway: Pick<CardGateway, 'listCharges'>,
  since: Date,
): Promise<Violation[]> {
  const own = await listOwnCharges(db, sql`c.created_at >= ${since}`);
  const book = await readBook(gateway, new Date(Math.max(0, since.getTime() - CLOCK_SLACK_MS)));
  if (book.kind === 'unknown') {
    return [{ invariant: 'I5', subject: 'book', problem: `could not be read: ${book.reason}` }];
  }
  const known = new Map(own.map((charge) => [charge.id, charge]));
  const missing = book.charges.flatMap(({ chargeId }) =>
    chargeId !== undefined && !known.has(chargeId) && isUuid(chargeId) ? [chargeId] : [],
  );
  if (missing.length > 0) {
    const found = await listOwnCharges(db, sql`c.id = any(${missing}::uuid[])`);
    for (const charge of found) known.set(charge.id, charge);
  }
  const entries = Map.groupBy(book.charges, ({ chargeId }) => chargeId ?? '');
  return [
    ...[...known.values()].flatMap((charge) => ownProblems(charge, entries.get(charge.id) ?? [])),
    ...book.charges
      .filter(({ chargeId }) => chargeId === undefined || !known.has(chargeId))
      .map((entry) => ({
        subject: `gateway charge ${entry.gatewayChargeId}`,
        problem: `is in the gateway's book (${entry.state}, ${entry.amountCents}) and no charge of ours`,
      })),
    ...doubleProblems([...known.values()]),
  ].map((found) => ({ invariant: 'I5', ...found }));
}

type Problem = Omit<Violation, 'invariant'>;

function ownProblems(charge: OwnCharge, entries: readonly GatewayCharge[]): Problem[] {
  const problems: string[] = [];
  const paid = entries.filter(({ state }) => state === 'succeeded');
  const [entry] = paid;
  if (paid.length > 1) problems.push(`was charged ${paid.length} times`);
  if (charge.state === 'succeeded' && !entry) problems.push('succeeded and is not in the book');
  if (charge.state === 'declined' && entry) problems.push('is declined here and paid in the book');
  if (isOpen(charge) && charge.isDelivered) problems.push('is open and has bought something');
  if (charge.state === 'created' && entry) problems.push('was never sent and is paid in the book');
  if (entry && entry.amountCents !== charge.amountCents) {
    problems.push(`${charge.amountCents} here, ${entry.amountCents} in the book`);
  }
  if (entry && charge.state === 'succeeded') {
    const { refundedCents: given } = entry;
    if (given < charge.refundedCents || given > charge.refundableCents) {
      problems.push(
        `refunded ${charge.refundedCents} to ${charge.refundableCents} here, ${given} in the book`,
      );
    }
  }
  if (charge.returnedCents > charge.amountCents) {
    problems.push(`returns ${charge.returnedCents} of ${charge.amountCents}`);
  }
  const { subscriptionEndedAt: endedAt } = charge;
  const isKept = charge.state === 'succeeded' && charge.returnedCents < charge.amountCents;
  if (isKept && endedAt !== null && charge.createdAt > endedAt) {
    problems.push(`was made after the end (${endedAt.toISOString()}) and is kept`);
  }
  return problems.map((problem) => ({ subject: `charge ${charge.id}`, problem }));
}

const isOpen = ({ state }: OwnCharge): boolean => OPEN_STATES.some((open) => open === state);

function doubleProblems(charges: readonly OwnCharge[]): Problem[] {
  const kept = charges.filter(
    ({ state, returnedCents, amountCents }) => state === 'succeeded' && returnedCents < amountCents,
  );
  return [...Map.groupBy(kept, ({ invoiceId }) => invoiceId)]
    .filter(([, ofInvoice]) => ofInvoice.length > 1)
    .map(([invoiceId, ofInvoice]) => ({
      subject: `invoice ${invoiceId}`,
      problem: `was paid ${ofInvoice.length} times`,
    }));
}

async function listOwnCharges(db: Db, which: ReturnType<typeof sql>): Promise<OwnCharge[]> {
  const { rows } = await sql<OwnCharge>`
    select c.id, c.state, c.amount_cents as "amountCents", c.created_at as "createdAt",
      c.invoice_id as "invoiceId",
      coalesce(r.refunded, 0)::int as "refundedCents",
      coalesce(r.refundable, 0)::int as "refundableCents",
      coalesce(r.returned, 0)::int as "returnedCents",
      case when s.state in ('Canceled', 'Expired') then s.ends_at end as "subscriptionEndedAt",
      i.checkout ->> 'kind' = 'subscription' and s.id is not null
        or exists (select from credits_transaction t
          where t.workspace_id = c.workspace_id and t.charge_id = c.id)
        or exists (select from ledger_transaction l
          where l.workspace_id = c.workspace_id and l.charge_id = c.id) as "isDelivered"
    from charge c
    join invoice i on i.workspace_id = c.workspace_id and i.id = c.invoice_id
    left join subscription s on s.workspace_id = i.workspace_id and s.id = i.subscription_id
    left join lateral (
      select sum(amount_cents) as returned,
        sum(amount_cents) filter (where state = 'refunded') as refunded,
        sum(amount_cents) filter (where state <> 'rejected') as refundable
      from refund where refund.workspace_id = c.workspace_id and refund.charge_id = c.id) r on true
    where ${which}`.execute(db);
  return rows;
}

async function readBook(
  gateway: Pick<CardGateway, 'listCharges'>,
  since: Date,
): Promise<{ kind: 'read'; charges: GatewayCharge[] } | { kind: 'unknown'; reason: string }> {
  const charges: GatewayCharge[] = [];
  let after: string | undefined;
  do {
    const page = await gateway.listCharges({ since, ...(after !== undefined && { after }) });
    if (page.kind === 'unknown') return page;
    charges.push(...page.charges);
    after = page.after;
  } while (after !== undefined);
  return { kind: 'read', charges };
}
