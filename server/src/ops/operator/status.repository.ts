import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';
import { CAN_GO_ON } from '#server/money/cards/card-detachment.repository.ts';

/** How the product stands right now. */
export interface Status {
  queues: Array<{ queue: string; due: number; ageSeconds: number }>;
  charges: Array<{ state: string; count: number }>;
  orders: Array<{ state: string; count: number }>;
  refunds: Array<{ state: string; count: number }>;
  disputes: Array<{ state: string; count: number }>;
  credits: number;
  ledgerSum: number;
  detections: Array<{ delaySeconds: number; detectedAt: Date }>;
}

const QUEUES: Record<string, string> = {
  detection: `select next_poll_at as at from poll_schedule where is_active`,
  history: `select next_import_at as at from poll_schedule where next_import_at is not null`,
  placing: `select next_attempt_at as at from like_order where state = 'Pending' and next_attempt_at is not null`,
  progress: `select next_attempt_at as at from like_order
    where state in ('Processing', 'In progress') and next_attempt_at is not null`,
  charges: `select next_check_at as at from charge where next_check_at is not null`,
  subscriptions: `select next_action_at as at from subscription where next_action_at is not null`,
  refunds: `select next_attempt_at as at from refund where next_attempt_at is not null`,
  audit: `select at from audit_notice`,
  cards: `select next_attempt_at as at from card_detachment where ${CAN_GO_ON}`,
  mails: `select next_attempt_at as at from owed_mail where next_attempt_at is not null`,
};

/** `detectedAfter`: which orders' delays are told, at most 10,000 at once. */
export async function readStatus(
  db: Db,
  { now, detectedAfter }: { now: Date; detectedAfter: Date },
): Promise<Status> {
  const queues = [];
  for (const [queue, query] of Object.entries(QUEUES)) {
    queues.push({ queue, ...(await readQueue(db, query, now)) });
  }
  const { rows: charges } = await sql<{ state: string; count: number }>`
    select state, count(*) as count from charge group by state`.execute(db);
  const { rows: orders } = await sql<{ state: string; count: number }>`
    select state, count(*) as count from like_order where next_attempt_at is not null
    group by state`.execute(db);
  const { rows: refunds } = await sql<{ state: string; count: number }>`
    select state, count(*) as count from refund group by state`.execute(db);
  const { rows: disputes } = await sql<{ state: string; count: number }>`
    select state, count(*) as count from dispute group by state`.execute(db);
  const { rows: totals } = await sql<{ credits: number; ledgerSum: number }>`
    select (select coalesce(sum(balance), 0) from credit_balance)::float8 as credits,
      (select coalesce(sum(amount), 0) from ledger_entry)::float8 as "ledgerSum"`.execute(db);
  const { rows: detections } = await sql<Status['detections'][number]>`
    select extract(epoch from detected_at - posted_at)::float8 as "delaySeconds",
      detected_at as "detectedAt"
    from like_order where kind = 'automatic' and detected_at > ${detectedAfter}
    order by detected_at limit 10000`.execute(db);
  const { credits = 0, ledgerSum = 0 } = totals[0] ?? {};
  return { queues, charges, orders, refunds, disputes, credits, ledgerSum, detections };
}

async function readQueue(db: Db, query: string, now: Date) {
  const { rows } = await sql<{ due: number; oldest: Date | null }>`
    select count(*) as due, min(at) as oldest from (${sql.raw(query)}) as open
    where at <= ${now}`.execute(db);
  const { due = 0, oldest = null } = rows[0] ?? {};
  return { due, ageSeconds: oldest ? (now.getTime() - oldest.getTime()) / 1000 : 0 };
}
