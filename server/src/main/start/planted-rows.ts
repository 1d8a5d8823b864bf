import { randomUUID } from 'node:crypto';
import type { Insertable, Selectable } from 'kysely';
import { dueAt } from '#shared/domain/money/billing-period.ts';
import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import type { SubscriptionTable } from '#server/kit/db/tables/subscription.table.ts';
import type { PlantedDelivery } from './planted-delivery.ts';

/** What an account is, by its number. */
export interface PlantedAccount {
  igUsername: string;
  clientId: string | null;
  tags: string[];
  /** null: it has no plan. */
  package: number | null;
}

interface PublishedAccount {
  igId: string;
  username: string;
  followers: number;
}

interface PublishedPost {
  id: string;
  igId: string;
  shortcode: string;
  caption: string;
  takenAtMs: number;
  /** Without those of members. */
  likes: number;
  memberLikes: number;
  comments: number;
}

/** A completed order, as the provider has it in its book. */
export interface ProviderOrder {
  ref: string;
  mediaId: string;
  likes: number;
  startCount: number;
  placedAtMs: number;
  finishedAtMs: number;
}

/** A network that has all that is planted: accounts are polled, and nothing of theirs is old news. */
export interface PlantedNetwork {
  url: string;
  stopping: AbortSignal;
  accountOf: (nr: number) => PlantedAccount;
  publish: (part: { accounts?: PublishedAccount[]; posts?: PublishedPost[] }) => Promise<void>;
  /** Puts orders into the provider's book. */
  book: (orders: ProviderOrder[]) => Promise<void>;
}

/** Whose a post is. */
export interface Owner {
  id: string;
  igId: string;
}

const WORDS = 'light morning coffee studio 🌿 harbour new drop friday wearing slow weekend'.split(
  ' ',
);

export const igIdOf = (nr: number): string => `9${String(nr).padStart(16, '0')}`;
export const followersOf = (nr: number): number =>
  1000 + Math.floor(scattered(nr, 3) ** 3 * 90_000);

/** The network knows whole seconds. */
export function takenAt(
  nr: number,
  { minutesApart }: { minutesApart: number },
  nowMs: number,
): Date {
  return new Date(Math.floor((nowMs - (nr + 1) * minutesApart * MINUTE_MS) / 1000) * 1000);
}

/** A number in [0, 1) that is always the same for the same numbers. */
export function scattered(nr: number, salt: number): number {
  let mixed = Math.imul(nr + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

/** Posts of so many days have had their likes: of this month and of the one before. */
export const DELIVERED_DAYS = 62;

/** A plan of some months whose next charge is within one; its reminder was sent. */
export function agedPlan(
  { time_zone: timeZone }: Selectable<SubscriptionTable>,
  nr: number,
  nowMs: number,
): Partial<Insertable<SubscriptionTable>> {
  const anchorMs = Math.floor(nowMs - (DELIVERED_DAYS + 2 + scattered(nr, 4) * 300) * DAY_MS);
  const clock = { anchorMs, timeZone, shiftDays: 0 };
  let period = 0;
  while (dueAt(clock, period + 1) <= nowMs) period += 1;
  const next = new Date(dueAt(clock, period + 1));
  return {
    anchor_at: new Date(anchorMs),
    created_at: new Date(anchorMs),
    period,
    period_started_at: new Date(dueAt(clock, period)),
    next_billing_at: next,
    next_action_at: next,
    reminded_for: next,
    baseline_read_at: new Date(nowMs),
  };
}

/** Captions of 0 to 600 characters, as people write them. */
export function postRow(
  nr: number,
  takenAt: Date,
  network: PlantedNetwork | undefined,
  delivery?: PlantedDelivery,
) {
  const length = Math.floor(scattered(nr, 1) ** 2 * 90);
  const words = Array.from(
    { length },
    (_, at) => WORDS[Math.floor(scattered(nr * 90 + at, 2) * WORDS.length)] ?? '',
  );
  const id = `3${String(nr).padStart(16, '0')}`;
  const shortcode = `P${nr.toString(36)}`;
  const organic = 200 + Math.floor(scattered(nr, 5) * 5000);
  return {
    id,
    shortcode,
    media_type: !network && nr % 9 === 0 ? ('VIDEO' as const) : ('IMAGE' as const),
    caption: words.join(' '),
    permalink: `${network?.url ?? 'https://network.example'}/p/${shortcode}/`,
    ...(network && { image_url: `${network.url}/cdn/m/${id}.jpg?oe=0&oh=0` }),
    taken_at: takenAt,
    like_count: organic + (delivery ? delivery.likes - delivery.lost : 0),
    organic_likes: delivery ? organic : null,
    lost_likes: delivery?.lost ?? 0,
    comment_count: Math.floor(scattered(nr, 6) * 200),
    detected_at: network ? (delivery?.detectedAt ?? null) : takenAt,
    automatic_outcome: outcomeOf(network, delivery),
  };
}

/** Of an account with a plan, what wasn't served are the posts of before. */
function outcomeOf(network: PlantedNetwork | undefined, delivery: PlantedDelivery | undefined) {
  if (delivery) return 'ordered' as const;
  return network ? ('before_subscription' as const) : ('no_subscription' as const);
}

type PostRow = ReturnType<typeof postRow>;

export function published(igId: string, post: PostRow, memberLikes: number): PublishedPost {
  const { id, shortcode, caption, taken_at: takenAt, like_count: total } = post;
  const { comment_count: comments } = post;
  const likes = total - memberLikes;
  return {
    id,
    igId,
    shortcode,
    caption,
    takenAtMs: takenAt.getTime(),
    likes,
    memberLikes,
    comments,
  };
}

export function orderRow(workspaceId: string, account: Owner, post: PostRow) {
  const { taken_at: at } = post;
  const ended = new Date(at.getTime() + 6 * 60 * MINUTE_MS);
  return {
    workspace_id: workspaceId,
    id: randomUUID(),
    kind: 'credit' as const,
    account_id: account.id,
    post_id: post.id,
    ig_id: account.igId,
    shortcode: post.shortcode,
    state: 'Completed' as const,
    speed: 'Instant' as const,
    ordered: 100,
    bonus: 10,
    views: 0,
    start_count: 12,
    delivered: 110,
    remains: 0,
    posted_at: at,
    detected_at: at,
    start_at: at,
    finish_by: ended,
    started_at: at,
    finished_at: ended,
    credits_settled_at: ended,
    credits_returned: 0,
  };
}
