import type { Selectable } from 'kysely';
import type { ServiceCreditDay } from '#shared/domain/money/shift-reason.ts';
import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';

/** One row: until when the service is known to have polled accounts, and judged their days. */
export interface ServiceClockTable {
  id: true;
  /** The last sign of life of detection, of whatever node. */
  beat_at: Date;
  /** Local days that ended by then have been judged. */
  closed_until: Date;
}

/** No node polled any account in this time. */
export interface ServiceOutageTable {
  since: Date;
  until: Date;
}

/** A time in which one subscription's account wasn't read; `until` null: it goes on. */
export interface SubscriptionIntervalTable {
  workspace_id: WorkspaceId;
  subscription_id: string;
  kind: 'unreadable' | 'unreachable' | 'throttled';
  since: Date;
  until: Date | null;
}

/** Why an account wasn't served: its own doing, the network's, or ours. */
export type UnservedCause = SubscriptionIntervalTable['kind'] | 'outage';

/**
 * A local day of a subscription that is used or given back. `ordered`: it has an automatic order;
 * `pending`: it may be given back, and is judged at the first reading after it was found; `given`: it has
 * moved the due date, and has no slots; `dropped`: judged, and not given back.
 */
export interface SubscriptionDayTable {
  workspace_id: WorkspaceId;
  subscription_id: string;
  /** In the subscription's zone, "2026-11-21". */
  local_day: string;
  state: 'ordered' | 'pending' | 'given' | 'dropped';
  /** Null with `ordered`. */
  cause: ServiceCreditDay['cause'] | null;
  found_at: Date;
  /** With `given`: the period whose end it moved. */
  subscription_version: number | null;
  period: number | null;
}

export type SubscriptionDayRow = Selectable<SubscriptionDayTable>;

/** A pause, for counting them; of one that was cut short `resumes_at` is when. */
export interface SubscriptionPauseTable {
  workspace_id: WorkspaceId;
  subscription_id: string;
  ig_id: IgId;
  pauses_at: Date;
  resumes_at: Date;
}
