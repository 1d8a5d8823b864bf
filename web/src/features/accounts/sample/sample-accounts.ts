import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { dueAt } from '#shared/domain/money/billing-period.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import type { AccountFigures } from '#web/replica/queries/account-figures.ts';

/** `igUsername` has a hyphen, which no network name has: it can’t be somebody’s. */
type Sample = readonly [
  igUsername: string,
  plan: number | null,
  state: 'Active' | 'Paused' | null,
  tags: readonly string[],
  posts: number,
];

const SAMPLES: readonly Sample[] = [
  ['sample-bakery', 2, 'Active', ['Food', 'VIP'], 12],
  ['sample-bikes', 3, 'Active', ['Sport'], 7],
  ['sample-books', 1, 'Active', [], 4],
  ['sample-cafe', 2, 'Active', ['Food'], 9],
  ['sample-cinema', 4, 'Active', ['VIP'], 15],
  ['sample-flowers', 1, 'Paused', [], 2],
  ['sample-gallery', 3, 'Active', [], 6],
  ['sample-gym', 5, 'Active', ['Sport', 'VIP'], 11],
  ['sample-hotel', 6, 'Active', [], 8],
  ['sample-pottery', null, null, [], 3],
  ['sample-travel', 2, 'Active', ['Spring'], 5],
  ['sample-yoga', 1, 'Active', ['Sport', 'Spring'], 10],
];

const instantOf = (ms: number): string => new Date(ms).toISOString();

const CLIENT = { id: '00000000-0000-7000-8000-000000000001', name: 'Sample client' };

const PAUSED_DAYS = 21;

/** Accounts that exist nowhere else; they are never sent. */
export function sampleAccounts(nowMs: number, timeZone: string): ConnectedAccount[] {
  return SAMPLES.map(([igUsername, plan, subscriptionState, tags], nth) => {
    const begunMs = nowMs - (3 + 2 * nth) * DAY_MS;
    const isPaused = subscriptionState === 'Paused';
    const clock = { anchorMs: begunMs, timeZone, shiftDays: isPaused ? PAUSED_DAYS : 0 };
    return {
      igUsername,
      igId: `sample-${nth}`,
      profilePic: '',
      accountPackageId: plan,
      accountPackageSubsriptionDate: plan === null ? null : instantOf(begunMs),
      nextBillingDate: plan === null ? null : instantOf(dueAt(clock, 1)),
      nextPackageId: null,
      nextPackageFrom: null,
      subscriptionState,
      problem: igUsername === 'sample-travel' ? 'unreachable' : null,
      followers: null,
      lastReadAt: null,
      endsAt: null,
      pausesAt: isPaused ? instantOf(nowMs - DAY_MS) : null,
      resumesAt: isPaused ? instantOf(nowMs + (PAUSED_DAYS - 1) * DAY_MS) : null,
      postsWaitSince: null,
      timeZone,
      moneyBackUntil: null,
      moneyBackAmount: null,
      moneyBackState: null,
      shiftDays: 0,
      shiftReason: null,
      delivery: { automaticLikes: true, speed: 'Instant', range: null },
      tags: [...tags],
      client: CLIENT,
    };
  });
}

/**
 * Posts, and the likes that the plans of the sample give them. Delivery times and likes kept are measured of real orders,
 * or not shown at all.
 */
export const SAMPLE_FIGURES: ReadonlyMap<string, AccountFigures> = new Map(
  SAMPLES.map(([, plan, , , posts], nth) => [
    `sample-${nth}`,
    {
      posts,
      likes: plan === null ? 0 : posts * getPlan(plan).likes,
      problem: undefined,
      retention: null,
      detectionMs: null,
    },
  ]),
);
