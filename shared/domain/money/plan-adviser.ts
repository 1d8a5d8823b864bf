import { DAY_MS } from '#shared/domain/durations.ts';
import { AUTOMATIC_POSTS_PER_DAY } from '../delivery/automatic-likes.ts';
import { CREDIT_PACKAGES, type CreditPackage, EXTRA_LIKES_MIN } from './credit-packages.ts';
import { dayOf } from './day-use.ts';
import { formatCents } from './money.ts';
import { PLANS, type Plan } from './plans.ts';

/*
 * What an account's own posts say of a purchase before it is made: what a month would cost in either way, and what
 * this plan or these credits would have bought in the last 30 days. Nothing is guessed: what isn't known is said.
 *
 *   posts ──of 90 days──> forecast ──x likes──> credits or plan, whichever costs less
 *     └─────of 30 days──> dry run: which of them would have got likes
 *
 * Only posts that a plan would serve count, the first four of a local day, in both ways, so that the same is compared.
 */

export const HISTORY_DAYS = 90;
export const MONTH_DAYS = 30;
/** A forecast from less would be a guess. */
export const LEAST_DAYS = 14;

/** Posts of one account. */
export interface PostHistory {
  /** When each post was taken, milliseconds since the epoch, in any order. */
  postsMs: readonly number[];
  /** Every post taken between these two is among them. */
  fromMs: number;
  untilMs: number;
  /** In which the plan's days begin. */
  timeZone: string;
}

/** A part of a history, at most so many days long. */
interface CountedPosts {
  /** Whole days that are known. */
  days: number;
  posts: ReadonlyArray<{
    atMs: number;
    /** Whether it was among the first of its day, which a plan serves. */
    isServed: boolean;
  }>;
}

/** The posts of the last `days` before `nowMs`, oldest first. */
export function countPosts(
  { postsMs, fromMs, untilMs, timeZone }: PostHistory,
  days: number,
  nowMs: number,
): CountedPosts {
  const firstMs = Math.max(fromMs, nowMs - days * DAY_MS);
  const lastMs = Math.min(untilMs, nowMs);
  const perDay = new Map<number, number>();
  const posts = postsMs
    .filter((atMs) => atMs >= firstMs && atMs <= lastMs)
    .toSorted((a, b) => a - b)
    .map((atMs) => {
      const day = dayOf(atMs, timeZone);
      const nth = (perDay.get(day) ?? 0) + 1;
      perDay.set(day, nth);
      return { atMs, isServed: nth <= AUTOMATIC_POSTS_PER_DAY };
    });
  return { days: Math.max(0, Math.floor((lastMs - firstMs) / DAY_MS)), posts };
}

const servedOf = ({ posts }: CountedPosts): number =>
  posts.filter(({ isServed }) => isServed).length;

/** What the next 30 days would be like. */
interface Forecast {
  /** Days it is made from, posts in them, and those of them that a plan would have served. */
  days: number;
  posts: number;
  served: number;
  /** `served` x 30 / `days`, to the next whole post; 1 at least where there was any. */
  postsAMonth: number;
}

/** @returns undefined: too few days are known */
export function forecastOf(history: PostHistory, nowMs: number): Forecast | undefined {
  const counted = countPosts(history, HISTORY_DAYS, nowMs);
  const { days, posts } = counted;
  if (days < LEAST_DAYS) return undefined;
  const served = servedOf(counted);
  const postsAMonth = Math.max(Math.sign(served), Math.round((served * MONTH_DAYS) / days));
  return { days, posts: posts.length, served, postsAMonth };
}

/** The largest package that so many likes use up, or else the smallest: what is compared is its price. */
function packageFor(likes: number): CreditPackage {
  const [smallest, ...larger] = CREDIT_PACKAGES;
  return larger.findLast(({ credits }) => credits <= likes) ?? smallest;
}

/** What credits for so many posts a month cost, in whole cents, a part of one counting as one. */
export function creditsForPostsCents(posts: number, likesEach: number): number {
  const likes = posts * likesEach;
  const { priceCents, credits } = packageFor(likes);
  return Math.ceil((likes * priceCents) / credits);
}

/** What costs least for what was bought so far. */
type Cheapest =
  | { kind: 'nothing' }
  | { kind: 'credits'; cents: number }
  | { kind: 'plan'; plan: Plan; cents: number };

/**
 * @param likesEach likes for each post: so many were bought so far
 * @returns credits where they cost no more than the plan, since they are paid for posts that are made only
 */
export function cheapestFor(postsAMonth: number, likesEach: number): Cheapest {
  if (postsAMonth === 0) return { kind: 'nothing' };
  const plan = PLANS.find(({ likes }) => likes >= likesEach);
  const creditsCents = creditsForPostsCents(postsAMonth, likesEach);
  return plan && plan.priceCents < creditsCents
    ? { kind: 'plan', plan, cents: plan.priceCents }
    : { kind: 'credits', cents: creditsCents };
}

/** The amount in the middle of those that were ordered; undefined: none were. */
export function usualAmount(ordered: readonly number[]): number | undefined {
  return ordered.toSorted((a, b) => a - b)[Math.floor((ordered.length - 1) / 2)];
}

const count = (many: number): string => many.toLocaleString('en-US');
const counted = (many: number, what: string): string =>
  `${count(many)} ${what}${many === 1 ? '' : 's'}`;

/** A plan that is looked at for an account. */
interface PlanQuestion {
  history: PostHistory;
  plan: Plan;
  /** Likes a post that were bought so far; undefined: none were. */
  usualLikes: number | undefined;
  nowMs: number;
}

/** What is said about it: the comparison, what follows from it, and the figures behind both. */
export interface PlanAdvice {
  comparison: string;
  advice: string | undefined;
  figures: readonly string[];
}

export function planAdvice({ history, plan, usualLikes, nowMs }: PlanQuestion): PlanAdvice {
  const forecast = forecastOf(history, nowMs);
  if (!forecast) return tooFewDays(countPosts(history, HISTORY_DAYS, nowMs).days);
  const { postsAMonth, days } = forecast;
  if (postsAMonth === 0) {
    return {
      comparison: `There were no posts in the ${counted(days, 'day')} we know of.`,
      advice: 'At that pace, you don’t need a plan, and credits would cost nothing.',
      figures: [],
    };
  }
  const creditsCents = creditsForPostsCents(postsAMonth, plan.likes);
  const credits = formatCents(creditsCents);
  const price = formatCents(plan.priceCents);
  return {
    comparison: `At ${counted(postsAMonth, 'post')} a month, credits would cost ${credits} and the plan with ${plan.description} likes costs ${price}.`,
    advice:
      usualLikes === undefined || usualLikes >= plan.likes
        ? adviceForPlan(plan.priceCents - creditsCents)
        : adviceForLess(plan, usualLikes, cheapestFor(postsAMonth, usualLikes)),
    figures: [...countedFigures(forecast), ...creditFigures(postsAMonth, plan.likes, credits)],
  };
}

const tooFewDays = (days: number): PlanAdvice => ({
  comparison: `We know ${days === 0 ? 'less than a day' : counted(days, 'day')} of this account’s posts. After ${LEAST_DAYS} days, we can tell you whether credits would cost less.`,
  advice: undefined,
  figures: [],
});

/** @param lessCents so much less credits cost */
function adviceForPlan(lessCents: number): string {
  const less = formatCents(Math.abs(lessCents));
  if (lessCents === 0)
    return 'You don’t need a plan: it costs the same, and credits only when you post.';
  return lessCents > 0
    ? `You don’t need a plan: credits cost ${less} less.`
    : `This plan costs ${less} less than credits.`;
}

/** Fewer likes were bought so far than the plan has. */
function adviceForLess(plan: Plan, usualLikes: number, cheapest: Cheapest): string {
  const before = `So far you usually bought ${count(usualLikes)} likes a post.`;
  if (cheapest.kind === 'nothing') return before;
  const price = formatCents(cheapest.cents);
  if (cheapest.kind === 'credits') {
    return `${before} For that you don’t need a plan: credits would cost ${price} a month.`;
  }
  return cheapest.plan === plan
    ? `${before} For that too, this plan costs less than credits.`
    : `${before} For that the plan with ${cheapest.plan.description} likes is enough, at ${price} a month.`;
}

function countedFigures({ days, posts, served, postsAMonth }: Forecast): string[] {
  const left =
    posts === served
      ? ''
      : ` ${count(served)} of them were among the first ${AUTOMATIC_POSTS_PER_DAY} of their day, which a plan serves.`;
  return [
    `${counted(posts, 'post')} in ${counted(days, 'day')}.${left}`,
    `${count(served)} × ${MONTH_DAYS} ÷ ${count(days)} is about ${counted(postsAMonth, 'post')} a month.`,
  ];
}

function creditFigures(posts: number, likes: number, price: string): string[] {
  const used = posts * likes;
  const { credits, priceCents } = packageFor(used);
  const isUsedUp = credits <= used;
  return [
    `${count(posts)} × ${count(likes)} likes at ${centsInWords(priceCents / credits)} is ${price}. That’s the price in the package of ${count(credits)} for ${formatCents(priceCents)}, the ${isUsedUp ? 'largest a month would use up' : 'smallest there is'}.`,
  ];
}

/** What a purchase would have bought in the last 30 days: a line, and the posts it is about. */
export interface DryRun {
  line: string;
  posts: ReadonlyArray<{ atMs: number; isServed: boolean }>;
}

/** This plan, on the posts of its account; undefined: none are known yet. */
export function dryRunPlan({ history, plan, nowMs }: PlanQuestion): DryRun | undefined {
  const run = countPosts(history, MONTH_DAYS, nowMs);
  const { posts, days } = run;
  if (days === 0) return undefined;
  const served = servedOf(run);
  const time =
    days < MONTH_DAYS
      ? `In the ${counted(days, 'day')} we know of`
      : `In the last ${MONTH_DAYS} days`;
  if (posts.length === 0)
    return { line: `${time}, there were no posts this plan could have sent likes to.`, posts };
  const each =
    days < MONTH_DAYS ? '' : `, at ${centsInWords(plan.priceCents / (served * plan.likes))} a like`;
  const line = `${time}, this plan would have sent likes to ${count(served)} of ${counted(posts.length, 'post')}${each}.`;
  return { line, posts };
}

/** "0.4 cents", "1.25 cents". */
export const centsInWords = (cents: number): string =>
  `${cents.toLocaleString('en-US', { maximumFractionDigits: 2 })} cents`;

/** A package of credits, on the posts of all accounts. */
interface PackQuestion {
  /** When each post of the last 30 days was taken, as far as they are known. */
  postsMs: readonly number[];
  credits: number;
  /** Undefined: no likes were ordered so far. */
  usualLikes: number | undefined;
}

/** This package: the oldest posts first, each with the usual amount, as far as it reaches. */
export function dryRunPack({ postsMs, credits, usualLikes }: PackQuestion): DryRun {
  const likes = usualLikes ?? EXTRA_LIKES_MIN;
  const reach = Math.floor(credits / likes);
  const posts = postsMs
    .toSorted((a, b) => a - b)
    .map((atMs, nth) => ({ atMs, isServed: nth < reach }));
  const amount = usualLikes === undefined ? 'the smallest order' : 'your usual amount';
  const enough = `At ${count(likes)} likes a post, ${amount}, ${count(credits)} credits are enough for ${counted(reach, 'post')}.`;
  return {
    line: `${enough} We know of ${counted(posts.length, 'post')} in the last ${MONTH_DAYS} days.`,
    posts,
  };
}
