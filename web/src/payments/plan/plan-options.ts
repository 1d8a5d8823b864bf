import { formatCents } from '#shared/domain/money/money.ts';
import { PLANS } from '#shared/domain/money/plans.ts';

/** All plans for a select, each with likes per post and monthly price (S§2). */
export const PLAN_OPTIONS = PLANS.map((plan) => ({
  value: String(plan.number),
  label: `${plan.description} likes per post, ${formatCents(plan.priceCents)} a month`,
}));
