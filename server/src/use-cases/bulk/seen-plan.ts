import type { SubscriptionRow } from '#server/money/subscriptions/subscription.repository.ts';

/**
 * What somebody sees of a plan who is about to change it, in one text. Whoever changes it first wins: another's
 * change, planned before, finds another text and is refused.
 */
export function seenPlan(row: SubscriptionRow | undefined): string | null {
  if (!row) return null;
  const { id, state, package: plan, next_package, ends_at, pauses_at, resumes_at } = row;
  return JSON.stringify([id, state, plan, next_package, ends_at, pauses_at, resumes_at]);
}

/** The plan it was, of such a text. */
export function seenPackage(seen: string): number | null {
  const [, , plan]: unknown[] = JSON.parse(seen) as unknown[];
  return typeof plan === 'number' ? plan : null;
}
