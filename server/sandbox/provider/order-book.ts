import type {
  PlaceOrdersAnswer,
  ProviderOrder,
  ProviderProgress,
} from '#shared/contract/provider-protocol.ts';
import type { OrderState } from '#shared/domain/delivery/order-state.ts';
import type { DatabaseSync } from 'node:sqlite';
import { MINUTE_MS } from '#shared/domain/durations.ts';

type Placement = PlaceOrdersAnswer['results'][number];

/** What the network's own book says of one ref: what invariant I4 is compared with. */
export interface BookEntry {
  ref: string;
  mediaId: string;
  result: 'accepted' | 'refused';
  /** How often the ref was sent with the same content. */
  seen: number;
  status: string;
  ordered: number;
  delivered: number;
  distinctMembers: number;
  orderedViews: number;
  views: number;
}

/**
 * Orders by ref: the first answer to a ref stands for ever, refusals included, and the same ref with
 * another content is a conflict. `provider_delivery` is the evidence, a row per like and order.
 */
export interface OrderBook {
  /** In the caller's transaction. `refusal` of the order system itself, when told to play one. */
  place(order: ProviderOrder, nowMs: number, members: number, refusal?: string): Placement;
  /** Accepted orders among the refs, in no particular order. */
  find(refs: readonly string[]): OrderRow[];
  /** Ends an order that isn't final, in the caller's transaction. */
  cancel(ref: string, nowMs: number): void;
  read(mediaId?: string): BookEntry[];
  /** An order that was completed before, in the caller's transaction; the same ref again replaces it. */
  plant(order: PlantedOrder): void;
}

interface PlantedOrder {
  ref: string;
  mediaId: string;
  likes: number;
  startCount: number;
  placedAtMs: number;
  finishedAtMs: number;
}

const SCHEMA = `
create table if not exists provider_order (
  no integer primary key,
  ref text not null unique,
  body text not null,
  refusal text,
  media_id text not null,
  likes integer not null,
  views integer not null,
  start_at integer not null,
  finish_by integer not null,
  deadline_at integer not null,
  accepted_at integer not null,
  finished_at integer,
  seen integer not null default 1,
  status text not null default 'Pending',
  seq integer not null default 1,
  start_count integer,
  delivered integer not null default 0 check (delivered between 0 and likes),
  viewed integer not null default 0 check (viewed between 0 and views),
  next_at integer
);
create index if not exists provider_order_due on provider_order (next_at) where next_at is not null;
create index if not exists provider_order_media on provider_order (media_id);
create table if not exists provider_delivery (
  order_no integer not null references provider_order (no),
  member_id integer not null,
  primary key (order_no, member_id)
) without rowid;
create table if not exists provider_walk (
  media_id text primary key,
  members integer not null,
  place integer not null
) without rowid;
create temp trigger provider_media_deleted after update of deleted_at on media
  when new.deleted_at is not null begin
    update provider_order set next_at = 0 where media_id = new.id and next_at is not null;
  end;
create temp trigger provider_media_gone after delete on media begin
    update provider_order set next_at = 0 where media_id = old.id and next_at is not null;
  end;
`;

/** An order that comes late or is interrupted still gets this long. */
export const GRACE_MS = MINUTE_MS;

export function openOrderBook(db: DatabaseSync): OrderBook {
  db.exec(SCHEMA);
  const known = db.prepare('select body, refusal from provider_order where ref = ?');
  const again = db.prepare('update provider_order set seen = seen + 1 where ref = ?');
  const insert = db.prepare(`insert into provider_order (ref, body, refusal, media_id, likes, views,
      start_at, finish_by, deadline_at, accepted_at, next_at, status)
    values (:ref, :body, :refusal, :mediaId, :likes, :views,
      :startAt, :finishBy, :deadlineAt, :acceptedAt, :nextAt, :status)`);
  const select = db.prepare(
    `select ${ORDER_COLUMNS} from provider_order where ref = ? and refusal is null`,
  );
  const end = db.prepare(`update provider_order set status = ?, seq = seq + 1, next_at = null,
    finished_at = ? where no = ?`);
  const judge = orderJudge(db);
  const find = (refs: readonly string[]): OrderRow[] =>
    [...new Set(refs)].flatMap((ref) => {
      const row = select.get(ref);
      return row ? [toOrderRow(row)] : [];
    });
  return {
    place(order, nowMs, members, refusal) {
      const body = canonical(order);
      const stored = known.get(order.ref);
      if (stored && stored['body'] !== body) return refused(order.ref, 'conflict');
      if (stored) {
        again.run(order.ref);
        return answer(order.ref, stored['refusal']);
      }
      const reason = refusal ?? judge(order, nowMs, members) ?? null;
      const startAt = Math.max(nowMs, time(order.startAt, nowMs));
      const finishBy = Math.max(startAt, time(order.finishBy, nowMs));
      insert.run({
        ref: order.ref,
        body,
        refusal: reason,
        mediaId: order.mediaId,
        likes: order.likes,
        views: order.views,
        startAt,
        finishBy,
        deadlineAt: Math.max(finishBy, nowMs + GRACE_MS),
        acceptedAt: nowMs,
        nextAt: reason === null ? startAt : null,
        status: reason === null ? 'Pending' : 'Canceled',
      });
      return answer(order.ref, reason);
    },
    find,
    cancel(ref, nowMs) {
      const [order] = find([ref]);
      if (order && order.nextAt !== null) end.run(endedEarly(order), nowMs, order.no);
    },
    read: bookReader(db),
    plant: planter(db),
  };
}

/** Why an order can't be taken, or undefined. */
function orderJudge(
  db: DatabaseSync,
): (order: ProviderOrder, nowMs: number, members: number) => string | undefined {
  const media = db.prepare(`select ig_id, media_type from media
    where id = ? and deleted_at is null and publish_at <= ?`);
  const taken = db.prepare(
    'select count(*) as n from member_like where media_id = ? and member_id <= ?',
  );
  return (order, nowMs, members) => {
    const post = media.get(order.mediaId, nowMs);
    if (!post) return 'media_gone';
    const isVideo = post['media_type'] === 'VIDEO';
    const isInOrder = Date.parse(order.startAt) <= Date.parse(order.finishBy);
    if (post['ig_id'] !== order.igId || order.likes < 1 || (order.views > 0 && !isVideo)) {
      return 'invalid_order';
    }
    if (!isInOrder) return 'invalid_order';
    const free = members - Number(taken.get(order.mediaId, members)?.['n'] ?? 0);
    return free > 0 ? undefined : 'no_members';
  };
}

function planter(db: DatabaseSync): OrderBook['plant'] {
  const plant =
    db.prepare(`insert or replace into provider_order (ref, body, media_id, likes, views,
      start_at, finish_by, deadline_at, accepted_at, finished_at, status, seq, start_count, delivered)
    values (:ref, '', :mediaId, :likes, 0, :placedAtMs, :finishedAtMs, :finishedAtMs, :placedAtMs,
      :finishedAtMs, 'Completed', 3, :startCount, :likes)`);
  return ({ ref, mediaId, likes, startCount, placedAtMs, finishedAtMs }) =>
    void plant.run({ ref, mediaId, likes, startCount, placedAtMs, finishedAtMs });
}

function bookReader(db: DatabaseSync): (mediaId?: string) => BookEntry[] {
  const select =
    db.prepare(`select ref, media_id, refusal, seen, status, likes, delivered, views, viewed,
    (select count(distinct member_id) from provider_delivery where order_no = no) as members
    from provider_order where ?1 is null or media_id = ?1 order by no`);
  return (mediaId) =>
    select.all(mediaId ?? null).map((row) => ({
      ref: String(row['ref']),
      mediaId: String(row['media_id']),
      result: row['refusal'] === null ? 'accepted' : 'refused',
      seen: Number(row['seen']),
      status: String(row['status']),
      ordered: Number(row['likes']),
      delivered: Number(row['delivered']),
      distinctMembers: Number(row['members']),
      orderedViews: Number(row['views']),
      views: Number(row['viewed']),
    }));
}

function canonical(order: ProviderOrder): string {
  const { igId, mediaId, shortcode, likes, views, startAt, finishBy } = order;
  return JSON.stringify([igId, mediaId, shortcode, likes, views, startAt, finishBy]);
}

function time(iso: string, preset: number): number {
  const parsed = Date.parse(iso);
  return Number.isNaN(parsed) ? preset : parsed;
}

function answer(ref: string, reason: unknown): Placement {
  return typeof reason === 'string' ? refused(ref, reason) : { ref, result: 'accepted' };
}

function refused(ref: string, reason: string): Placement {
  return { ref, result: 'refused', reason };
}

/**
 * One order as the member network keeps it. `nextAt` is when the scheduler looks at it next; null once
 * it is final or was refused.
 *
 *   Pending ─ startAt ─> Processing ─ first like ─> In progress ─ last like ─> Completed
 *      └─ cancelled, post gone, no members left, out of time: Partial, or Canceled when nothing was given
 */
export interface OrderRow {
  no: number;
  ref: string;
  mediaId: string;
  likes: number;
  views: number;
  startAt: number;
  finishBy: number;
  /** Out of capacity at this moment, the order ends; later than finishBy after an interruption. */
  deadlineAt: number;
  status: OrderState;
  seq: number;
  startCount: number | null;
  delivered: number;
  viewed: number;
  nextAt: number | null;
}

export const ORDER_COLUMNS = `no, ref, provider_order.media_id, likes, views, start_at, finish_by,
  deadline_at, status, seq, start_count, delivered, viewed, next_at`;

export function toOrderRow(row: Record<string, unknown>): OrderRow {
  const startCount = row['start_count'];
  const nextAt = row['next_at'];
  return {
    no: Number(row['no']),
    ref: String(row['ref']),
    mediaId: String(row['media_id']),
    likes: Number(row['likes']),
    views: Number(row['views']),
    startAt: Number(row['start_at']),
    finishBy: Number(row['finish_by']),
    deadlineAt: Number(row['deadline_at']),
    status: row['status'] as OrderState,
    seq: Number(row['seq']),
    startCount: startCount === null ? null : Number(startCount),
    delivered: Number(row['delivered']),
    viewed: Number(row['viewed']),
    nextAt: nextAt === null ? null : Number(nextAt),
  };
}

export function toProgress(order: OrderRow): ProviderProgress {
  return {
    ref: order.ref,
    seq: order.seq,
    status: order.status,
    startCount: order.startCount,
    delivered: order.delivered,
    views: order.viewed,
    remains: order.likes - order.delivered,
  };
}

/** How an order ends that will get no more likes before it is complete. */
export function endedEarly(order: Pick<OrderRow, 'delivered'>): OrderState {
  return order.delivered > 0 ? 'Partial' : 'Canceled';
}

/** Views that belong to the likes given so far; all of them once the likes are complete. */
export function viewsFor(order: Pick<OrderRow, 'likes' | 'views'>, delivered: number): number {
  return Math.floor((order.views * delivered) / order.likes);
}
