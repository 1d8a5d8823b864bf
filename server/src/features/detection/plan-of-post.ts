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

/** A post gets the plan that held when it was taken, however late it is read: that plan was paid for its day. */
export function planOfPost(plans: PlansInTime, takenAt: Date): PlanOfPost {
  const past = plans.pastPlans.find(({ untilMs }) => takenAt.getTime() < untilMs);
  if (past) return past;
  const clock: BillingClock = {
    anchorMs: plans.anchorAt.getTime(),
    timeZone: plans.timeZone,
    shiftDays: 0,
  };
  const { period, nextPackage } = plans;
  if (nextPackage !== null && takenAt >= plans.unpaidFrom) {
    return { package: nextPackage, periodDays: daysOfPeriod(clock, period + 1) };
  }
  return { package: plans.package, periodDays: daysOfPeriod(clock, period) };
}
