import { type BillingClock, daysOfPeriod } from '#shared/domain/billing-period.ts';

/** A plan that a subscription has had, and until when. */
interface PastPlan {
  untilMs: number;
  package: number;
  periodDays: number;
}

/** The plans of a subscription: those it had, oldest first, the present one, and the one chosen for the due date. */
export interface PlansInTime {
  pastPlans: readonly PastPlan[];
  package: number;
  /** Null while it owes a payment: then another plan begins later than at the due date. */
  nextPackage: number | null;
  /** When the first local day begins that the next payment is for. */
  unpaidFrom: Date;
  anchorAt: Date;
  period: number;
  timeZone: string;
}

/** The plan whose likes a post gets, and the days among which its price is shared. */
export interface PlanOfPost {
  package: number;
  periodDays: number;
}

/** What says whose likes a post gets. */
export interface PlannedPost {
  takenAt: Date;
  /** Served before the payment for its day. */
  isInAdvance: boolean;
}

/**
 * A post gets the plan that held when it was taken, however late it is read: that plan was paid for its day. One that
 * is served in advance gets the plan which the coming payment pays for.
 */
export function planOfPost(plans: PlansInTime, { takenAt, isInAdvance }: PlannedPost): PlanOfPost {
  if (isInAdvance) return comingPlan(plans);
  const past = plans.pastPlans.find(({ untilMs }) => takenAt.getTime() < untilMs);
  if (past) return past;
  if (plans.nextPackage !== null && takenAt >= plans.unpaidFrom) return comingPlan(plans);
  return { package: plans.package, periodDays: daysOf(plans, plans.period) };
}

function comingPlan(plans: PlansInTime): PlanOfPost {
  const packageNumber = plans.nextPackage ?? plans.package;
  return { package: packageNumber, periodDays: daysOf(plans, plans.period + 1) };
}

function daysOf({ anchorAt, timeZone }: PlansInTime, period: number): number {
  const clock: BillingClock = { anchorMs: anchorAt.getTime(), timeZone, shiftDays: 0 };
  return daysOfPeriod(clock, period);
}
