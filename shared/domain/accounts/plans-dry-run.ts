import { centsInWords, countPosts, MONTH_DAYS, type PostHistory } from '../money/plan-adviser.ts';
import type { Plan } from '../money/plans.ts';

/** A plan that is looked at for one of several accounts. */
interface LookedAt {
  plan: Plan;
  /** Undefined: nothing is known of its posts. */
  history: PostHistory | undefined;
}

const counted = (many: number, what: string): string =>
  `${many.toLocaleString('en-US')} ${what}${many === 1 ? '' : 's'}`;

/** What these plans, each on the posts of its account, would have bought in the last 30 days. */
export function dryRunPlans(lookedAt: readonly LookedAt[], nowMs: number): string {
  const known = lookedAt.flatMap(({ plan, history }) => {
    const run = history && countPosts(history, MONTH_DAYS, nowMs);
    return run && run.days > 0 ? [{ ...run, plan }] : [];
  });
  const [plans, those] =
    lookedAt.length === 1 ? ['this plan', 'this account'] : ['these plans', 'these accounts'];
  if (known.length === 0) {
    return `We don’t know the posts of ${those} yet, so we can’t say what ${plans} would have bought.`;
  }
  const served = known.map(({ posts }) => posts.filter(({ isServed }) => isServed).length);
  const all = served.reduce((sum, posts) => sum + posts, 0);
  const posts = known.reduce((sum, run) => sum + run.posts.length, 0);
  const fewer = known.filter(({ days }) => days < MONTH_DAYS).length;
  const unknown = lookedAt.length - known.length;
  const likes = known.reduce((sum, { plan }, nth) => sum + (served[nth] ?? 0) * plan.likes, 0);
  const cents = known.reduce((sum, { plan }) => sum + plan.priceCents, 0);
  const each = fewer + unknown > 0 ? '' : `, at ${centsInWords(cents / likes)} a like`;
  const bought =
    posts === 0
      ? `there were no posts ${plans} could have sent likes to`
      : `${plans} would have sent likes to ${all.toLocaleString('en-US')} of ${counted(posts, 'post')}${each}`;
  const parts = [
    `In the last ${MONTH_DAYS} days, ${bought}.`,
    fewer > 0 && `We know fewer days of ${counted(fewer, 'account')}.`,
    unknown > 0 && `We don’t know the posts of ${counted(unknown, 'account')} yet.`,
  ];
  return parts.filter((part) => part !== false).join(' ');
}
