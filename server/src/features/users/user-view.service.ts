import type { User } from '#shared/contract/user.ts';
import type { Deps } from '../../deps.ts';
import { listFirstAccountIds } from '../accounts/account.repository.ts';
import { viewAccounts } from '../accounts/accounts.service.ts';
import { findCard } from '../billing/card.repository.ts';
import { viewCard } from '../billing/card-view.ts';
import { listCreditsTransactions } from '../billing/credits-transaction.repository.ts';
import { viewCreditsTransaction } from '../billing/credits-transaction-view.ts';
import { hasUnendedSubscription } from '../billing/subscription.repository.ts';
import { readCreditStanding } from '../credits/ledger.repository.ts';
import { findUser } from './user.repository.ts';
import { customerGone } from './workspace-lock.ts';

/**
 * The customer as S§3 describes them; `inSubscription` also of who has paid and has credits left (D5).
 * With `mostAccounts` so many connected accounts at most, the default one among them.
 * @throws ApiError `session_ended`: there is no such user any more
 */
export async function viewUser(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  owner: { workspaceId: string; userId: string },
  { mostAccounts: most }: { mostAccounts?: number | undefined } = {},
): Promise<User> {
  const { db } = deps.database;
  const user = await findUser(db, owner);
  if (!user) throw customerGone();
  const { workspaceId } = owner;
  const defaultId = user.default_account_id;
  const shown =
    most === undefined
      ? undefined
      : await listFirstAccountIds(db, workspaceId, { most, defaultId });
  const [accounts, hasPlan, card, payments, credits] = await Promise.all([
    viewAccounts(deps, workspaceId, shown),
    hasUnendedSubscription(db, workspaceId),
    findCard(db, workspaceId),
    listCreditsTransactions(db, workspaceId),
    readCreditStanding(db, workspaceId),
  ]);
  const main = accounts.find(({ accountId }) => accountId === defaultId);
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    phone: user.phone,
    timeZone: user.time_zone,
    createdAt: user.created_at.toISOString(),
    credits: credits.balance,
    canSpendCredits: credits.hasPaid,
    inSubscription: hasPlan || (credits.hasPaid && credits.balance > 0),
    defaultIgUsername: main?.view.igUsername ?? '',
    defaultIgId: main?.view.igId ?? '',
    profilePic: main?.view.profilePic ?? '',
    package: user.package,
    connectedAccounts: accounts.map(({ view }) => view),
    billingInfo: card ? viewCard(card) : null,
    creditsTransactions: payments.map(viewCreditsTransaction),
    isDemoData: deps.settings.isSandbox,
  };
}
