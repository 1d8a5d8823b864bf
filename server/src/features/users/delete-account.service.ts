import type { Deps } from '../../deps.ts';
import { paymentBeingChecked } from '../../http/submit.service.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import { askForDetachment } from '../billing/card-detachment.repository.ts';
import { deleteRecoveries } from '../recovery/recovery.repository.ts';
import { hashEmail } from '../recovery/recovery-secrets.ts';
import { endSubscription } from '../subscriptions/end-subscription.ts';
import {
  anonymiseAccounts,
  anonymiseMoney,
  deletePeople,
  forgetChanges,
  hasOpenPayment,
  lockUnendedSubscriptions,
  stopAllOrders,
} from './delete-account.repository.ts';
import { checkOwnPassword } from './own-password.service.ts';
import type { Passwords } from './password.ts';
import { keepDeletedSessions } from './session.repository.ts';
import type { Session } from './session.service.ts';
import { lockWorkspaceForDeletion } from './workspace-lock.ts';

/**
 * Deletes the customer: subscriptions and orders stop at once, nothing is charged any more, the e-mail
 * address is free again. The gateway is told soon after to forget the cards. Rows of money stay, with
 * nothing in them that says whose they were.
 *
 * Refused while a payment is being decided: whatever it buys would belong to nobody.
 *
 * @throws ApiError `payment_unknown`, `session_ended`, and those of `checkOwnPassword`
 */
export async function deleteAccount(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'> & { passwords: Passwords },
  session: Session,
  password: string,
): Promise<void> {
  const { email } = await checkOwnPassword(deps, session, { field: 'password', password });
  const { workspaceId, userId: actor } = session;
  await deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    // Subscriptions before their workspace, as everywhere, and again for one that has begun meanwhile.
    await lockUnendedSubscriptions(tx, workspaceId);
    await lockWorkspaceForDeletion(tx, workspaceId);
    const unended = await lockUnendedSubscriptions(tx, workspaceId);
    if (await hasOpenPayment(tx, workspaceId)) throw paymentBeingChecked();
    for (const row of unended) {
      await endSubscription(tx, deps, row, { state: 'Canceled', now });
    }
    await stopAllOrders(tx, workspaceId, now);
    await anonymiseAccounts(tx, workspaceId);
    await askForDetachment(tx, workspaceId, now);
    await anonymiseMoney(tx, workspaceId);
    await deleteRecoveries(tx, hashEmail(deps, email));
    await keepDeletedSessions(tx, workspaceId, now);
    await deletePeople(tx, workspaceId, email);
    await appendAudit(tx, { workspaceId, actor, action: 'account_deleted', subject: actor, now });
    await forgetChanges(tx, workspaceId);
  });
}
