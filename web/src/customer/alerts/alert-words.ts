import type { AlertKind } from '#shared/domain/accounts/alert.ts';

/** What the alerts of a kind are about. */
export const ALERT_WORDS: Readonly<Record<AlertKind, string>> = {
  account_unreadable: 'Accounts that can’t be read',
  payment_declined: 'Declined payments',
  order_ended_early: 'Deliveries that ended early',
  budget_reached: 'Budgets that are spent',
};
