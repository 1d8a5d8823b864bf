/** The states of a subscription, spelt as the wire, the database and the screens spell them (D5). */
export const SUBSCRIPTION_STATES = ['Active', 'Paused', 'Past due', 'Canceled', 'Expired'] as const;
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number];

/** States in which a subscription occupies its account: no second one may begin. */
export const UNENDED_STATES = [
  'Active',
  'Paused',
  'Past due',
] as const satisfies SubscriptionState[];

/** States of a subscription that goes on, paid or not yet: neither paused nor over. */
export const RUNNING_STATES = ['Active', 'Past due'] as const satisfies SubscriptionState[];

const UNENDED: ReadonlySet<string | null> = new Set(UNENDED_STATES);
const RUNNING: ReadonlySet<SubscriptionState> = new Set(RUNNING_STATES);

/** Null, of an account that never had a plan, isn't unended. */
export function isUnended(state: SubscriptionState | null): boolean {
  return UNENDED.has(state);
}

export function isRunning(state: SubscriptionState): boolean {
  return RUNNING.has(state);
}
