import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../deps.ts';
import type { Db, Tables } from './database.ts';

/** A worker's hold on the rows it claims. */
export interface Lease {
  now: Date;
  /** When a claimed row is due again, unless its worker has settled it. */
  leaseUntil: Date;
  /** At most so many rows. */
  limit: number;
}

/** @param leaseMs longer than the work on a row takes */
export function leaseOf(
  clock: Clock,
  { leaseMs, limit }: { leaseMs: number; limit: number },
): Lease {
  const nowMs = clock.now();
  return { now: new Date(nowMs), leaseUntil: new Date(nowMs + leaseMs), limit };
}

/** Which rows are due, and what claiming one changes. In the caller's SQL the row is called `t`. */
export interface DueRows<T extends keyof Tables> extends Omit<Lease, 'leaseUntil'> {
  table: T;
  /** The column that says when a row is due; null: never. */
  due: keyof Tables[T] & string;
  /** Null: a claimed row isn't due again. */
  leaseUntil: Date | RawBuilder<Date> | null;
  /** Besides being due. */
  where?: RawBuilder<unknown>;
  /** In which order they are claimed, by what is joined to them; else those waiting longest first. */
  priority?: { join: RawBuilder<unknown>; order: RawBuilder<unknown> };
  /** What else changes. */
  set?: RawBuilder<unknown>;
}

/** A worker may store what it found only under the fence of its claim: a successor's is higher. */
export const RAISE_FENCE = sql`fence = t.fence + 1`;

/**
 * Claims due rows, those waiting longest first.
 *
 *   due ──claimed──> leased ──settled by its worker──> due later, or never
 *    ^                  │
 *    └── lease over ────┘   its worker has died, or is late: then its fence is too low to store anything
 *
 * One statement decides and takes, so of any number of workers each gets other rows; one that somebody else
 * holds is passed over and left to the next claim.
 * @param returning columns of `t`; the moment it was due comes with them
 */
export async function claimDue<T extends keyof Tables, Row>(
  db: Db,
  rows: DueRows<T>,
  returning: RawBuilder<Row>,
): Promise<Array<Row & { dueAt: Date }>> {
  const claimed = await sql<Row & { dueAt: Date }>`${claimingDue(rows, returning)}
    select * from claimed order by "dueAt"`.execute(db);
  return claimed.rows;
}

/**
 * The same as the beginning of a statement, which goes on with what it selects from `claimed`. A locked row
 * stays where it is, so it is updated by its place.
 */
export function claimingDue<T extends keyof Tables>(
  { table, due, now, leaseUntil, limit, where, priority, set }: DueRows<T>,
  returning: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    with due as materialized (
      select t.ctid, t.${sql.ref(due)} as "dueAt" from ${sql.table(table)} t
      ${priority?.join ?? sql``}
      where t.${sql.ref(due)} <= ${now} ${where ? sql`and (${where})` : sql``}
      order by ${priority?.order ?? sql`t.${sql.ref(due)}`} limit ${limit} for no key update of t skip locked
    ), claimed as (
      update ${sql.table(table)} t set ${sql.ref(due)} = ${leaseUntil} ${set ? sql`, ${set}` : sql``}
      from due where t.ctid = due.ctid
      returning ${returning}, due."dueAt"
    )`;
}
