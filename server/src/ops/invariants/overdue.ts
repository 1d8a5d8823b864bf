import { sql } from 'kysely';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import type { Db } from '#server/kit/db/database.ts';
import { ASKED_STATES } from '#server/kit/db/tables/charge.table.ts';
import { textList } from '#server/kit/db/text-list.ts';
import { MONEY_UNDER_WAY } from '#server/money/cards/card-detachment.repository.ts';
import {
  listOutages,
  readServiceClock,
} from '#server/network/detection/service-clock.repository.ts';
import type { Violation } from './violation.ts';

/** Since when it could go on: while a payment of its workspace is disputed it waits, however long. */
function sinceUndisputed(table: string, at: string): string {
  return `(select greatest(${table}.${at}, max(case when d.state = 'open' then 'infinity'
      else d.decided_at end)) from dispute d where d.workspace_id = ${table}.workspace_id)`;
}

/** What may be unfinished, and how long: longer than every retry of the part that finishes it. */
export const BOUNDS: ReadonlyArray<{ what: string; query: string; boundMs: number }> = [
  {
    what: 'order not finished since it was to be',
    query: `select id::text, finish_by as at from like_order where next_attempt_at is not null`,
    boundMs: 48 * HOUR_MS,
  },
  {
    what: 'order due and taken by no worker since',
    query: `select id::text, next_attempt_at as at from like_order where next_attempt_at is not null`,
    boundMs: HOUR_MS,
  },
  {
    // D7: what the provider can't deliver returns within the hour.
    what: 'order ended and what it did not deliver not returned since',
    query: `select id::text, finished_at as at from like_order
      where finished_at is not null and credits_settled_at is null`,
    boundMs: HOUR_MS,
  },
  {
    what: 'charge unsettled since',
    query: `select id::text, created_at as at from charge where state in (${textList(ASKED_STATES)})`,
    boundMs: 26 * HOUR_MS,
  },
  {
    // An hour to confirm it, then the gateway cancels it; it is asked at least every ten minutes.
    what: 'charge waiting for the bank since',
    query: `select id::text, created_at as at from charge where state = 'needs_action'`,
    boundMs: 2 * HOUR_MS,
  },
  {
    what: 'card waiting for the bank since',
    query: `select id::text, created_at as at from card_setup
      where state in ('sent', 'needs_action')`,
    boundMs: 2 * HOUR_MS,
  },
  {
    what: 'refund owed since',
    query: `select id::text, ${sinceUndisputed('refund', 'created_at')} as at from refund
      where state = 'owed' and reason <> 'money_back'`,
    boundMs: 26 * HOUR_MS,
  },
  {
    what: 'money back owed since',
    query: `select id::text, ${sinceUndisputed('refund', 'created_at')} as at from refund
      where state = 'owed' and reason = 'money_back'`,
    boundMs: 5 * 24 * HOUR_MS,
  },
  {
    what: 'refund rejected and waiting for an operator since',
    query: `select id::text, rejected_at as at from refund where state = 'rejected'`,
    boundMs: 48 * HOUR_MS,
  },
  {
    what: 'cards of a deleted customer at the gateway since',
    query: `select workspace_id::text as id, asked_at as at from card_detachment
      where detached_at is null`,
    boundMs: 26 * HOUR_MS,
  },
  {
    // What still keeps it there has bounds of its own above.
    what: 'deleted customer at the gateway, with no money on its way, since',
    query: `select workspace_id::text as id, asked_at as at from card_detachment
      where workspace_id not in ${MONEY_UNDER_WAY}`,
    boundMs: 8 * 24 * HOUR_MS,
  },
  {
    // As long as the gateway remembers the key it was asked with.
    what: 'customer at the gateway, asked for and without an answer, since',
    query: `select workspace_id::text as id, asked_at as at from customer_request`,
    boundMs: 24 * HOUR_MS,
  },
  {
    what: 'subscription due and taken by no worker since',
    query: `select id::text, next_action_at as at from subscription where next_action_at is not null`,
    boundMs: 26 * HOUR_MS,
  },
  {
    what: 'mail owed and in no queue since',
    query: `select id::text, next_attempt_at as at from owed_mail where next_attempt_at is not null`,
    boundMs: HOUR_MS,
  },
  {
    // The queue gives up after two days, and what has its address goes after three.
    what: 'address of a deleted customer kept since',
    query: `select id::text, created_at as at from owed_mail
      where payload ->> 'kind' = 'account_deleted'`,
    boundMs: 4 * DAY_MS,
  },
  {
    what: 'account due to be polled since',
    query: `select account_id::text as id, next_poll_at as at from poll_schedule where is_active`,
    boundMs: HOUR_MS,
  },
  {
    what: 'period over and not renewed since',
    query: `select id::text, next_billing_at as at from subscription
      where state = 'Active' and ends_at is null`,
    boundMs: 26 * HOUR_MS,
  },
  {
    what: 'past due since',
    query: `select id::text, next_billing_at as at from subscription where state = 'Past due'`,
    boundMs: 10 * 24 * HOUR_MS,
  },
  {
    what: 'to have ended',
    query: `select id::text, ends_at as at from subscription
      where state in (${textList(UNENDED_STATES)}) and ends_at is not null`,
    boundMs: 26 * HOUR_MS,
  },
];

const SHOWN_LIMIT = 100;

/** Longer than a restart takes: a shorter silence is none. */
const SILENCE_LIMIT_MS = 10 * MINUTE_MS;

/** A time in which nothing ran, so that nothing could be finished. */
export interface Silence {
  since: Date;
  until: Date;
}

/**
 * I7: nothing that is to be finished is older than its bound, not counting the times in which nothing ran:
 * the outages that are written down, and `silence`, the one that has no end yet or a moment ago.
 */
export async function checkOverdue(db: Db, now: Date, silence?: Silence): Promise<Violation[]> {
  const outages = await listOutages(db, { from: new Date(0), to: now });
  const silences = JSON.stringify(silence ? [...outages, silence] : outages);
  const found: Violation[] = [];
  for (const { what, query, boundMs } of BOUNDS) {
    const before = new Date(now.getTime() - boundMs);
    const { rows } = await sql<{ id: string; at: Date }>`
      select id, at from (${sql.raw(query)}) as open where at < ${before}
        and at < ${before}::timestamptz - (
          select coalesce(sum(least(s.until, ${now}) - greatest(s.since, open.at)), interval '0')
          from jsonb_to_recordset(${silences}::text::jsonb) as s(since timestamptz, until timestamptz)
          where s.until > open.at)
      order by at limit ${SHOWN_LIMIT}`.execute(db);
    for (const { id, at } of rows) {
      found.push({ invariant: 'I7', subject: id, problem: `${what} ${at.toISOString()}` });
    }
  }
  return found;
}

/**
 * The silence that ended, or is about to, when the product came up: none where the last sign of life is
 * young, and none before the first.
 */
export async function findSilence(db: Db, upSince: Date): Promise<Silence | undefined> {
  const since = (await readServiceClock(db))?.beat_at;
  if (!since || upSince.getTime() - since.getTime() <= SILENCE_LIMIT_MS) return undefined;
  return { since, until: upSince };
}
