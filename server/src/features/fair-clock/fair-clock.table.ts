import type { Selectable } from 'kysely';
import type { Db } from '../../db/database.ts';

/** One row: until when the service is known to have looked at accounts, and judged their days. */
export interface ServiceClockTable {
  id: true;
  /** The last sign of life of detection, of whatever node. */
  beat_at: Date;
  /** Local days that ended by then have been judged. */
  closed_until: Date;
}

/** No node looked at any account in this time. */
export interface ServiceOutageTable {
  since: Date;
  until: Date;
}

/** A time in which one subscription's account wasn't read, or was paused; `until` null: it goes on. */
export interface SubscriptionIntervalTable {
  workspace_id: string;
  subscription_id: string;
  kind: 'unreadable' | 'unreachable' | 'paused';
  since: Date;
  until: Date | null;
}

/** Why an account wasn't served: its own doing, the network's, or ours. */
export type FairCause = 'unreadable' | 'unreachable' | 'outage';

/** A local day on which a subscription wasn't served: found once, whatever runs twice. */
export interface FairDayTable {
  workspace_id: string;
  subscription_id: string;
  /** In the subscription's zone, "2026-11-21". */
  local_day: string;
  cause: FairCause;
  /** `pending` until the period isn't being paid for; `dropped` when the subscription ended first. */
  state: 'pending' | 'added' | 'dropped';
  found_at: Date;
  added_at: Date | null;
  /** The period it was added to. */
  era: number | null;
  period: number | null;
}

export type FairDayRow = Selectable<FairDayTable>;

/** The database with the fair clock's tables. */
export function fairTables(db: Db) {
  return db.withTables<{
    service_clock: ServiceClockTable;
    service_outage: ServiceOutageTable;
    subscription_interval: SubscriptionIntervalTable;
    fair_day: FairDayTable;
  }>();
}
