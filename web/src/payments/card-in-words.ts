import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { BillingInfo } from '#shared/contract/people/user.ts';
import { namesInWords } from '#web/customer/account-names.ts';
import { hasRunningPlan } from '#web/customer/account-state.ts';

/** "card ending in 242", as emails say it: the mask shows no more of it. */
export function cardInWords({ ccNum }: BillingInfo): string {
  return `card ending in ${ccNum.slice(-3)}`;
}

/** "Ada Lovelace, expires 12/2030"; not every card has a name. */
export function ownerInWords({ ccName, ccMonth, ccYear }: BillingInfo): string {
  const expiry = `${ccMonth}/${ccYear}`;
  return ccName === '' ? `Expires ${expiry}` : `${ccName}, expires ${expiry}`;
}

/** "Pays for @a and @b.": the plans that the saved card is charged for; undefined for none. */
export function paysForInWords(accounts: readonly ConnectedAccount[]): string | undefined {
  const paid = accounts.filter(hasRunningPlan);
  return paid.length === 0 ? undefined : `Pays for ${namesInWords(paid)}.`;
}
