import type { User } from '#shared/contract/user.ts';
import { type LocalUser, shownAccount } from '../local-db/local-user.ts';

const HOLDING: ReadonlySet<string | null> = new Set(['Active', 'Paused', 'Past due']);

/** The customer as S§3 describes them, from the local copy; what it doesn't hold stays as it was. */
export function shownUser(local: LocalUser, before: User | null, nowMs: number): User {
  const { user, wallet, accounts, transactions } = local;
  const main = accounts.find(({ accountId }) => accountId === user.defaultAccountId);
  const shown = accounts.map((account) => shownAccount(account, nowMs));
  const hasPlan = shown.some(({ subscriptionState }) => HOLDING.has(subscriptionState));
  const canSpendCredits = wallet ? wallet.lockedBonus === 0 : (before?.canSpendCredits ?? false);
  const credits = wallet?.credits ?? before?.credits ?? 0;
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    phone: user.phone,
    timeZone: user.timeZone,
    createdAt: before?.createdAt ?? new Date(0).toISOString(),
    credits,
    canSpendCredits,
    inSubscription: hasPlan || (canSpendCredits && credits > 0),
    defaultIgUsername: main?.igUsername ?? '',
    defaultIgId: main?.igId ?? '',
    profilePic: main?.profilePic ?? '',
    package: user.package,
    connectedAccounts: shown,
    billingInfo: wallet ? wallet.billingInfo : (before?.billingInfo ?? null),
    creditsTransactions: transactions,
    isDemoData: user.isDemoData,
  };
}
