import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import {
  countMembers,
  deleteMembership,
  findMembership,
  hasOtherOwner,
  listWorkspaces,
  type MembershipRow,
} from '#server/identity/members/membership.repository.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { askForDetachment } from '#server/money/cards/card-detachment.repository.ts';
import { requestCancel } from '#server/delivery/orders/like-order.repository.ts';
import { insertDeletionMail } from '#server/mail/deletion-mail.ts';
import { deleteRecoveries } from '#server/identity/recovery/recovery.repository.ts';
import { hashEmail } from '#server/identity/recovery/recovery-secrets.ts';
import { endSubscription } from '#server/money/subscriptions/end-subscription.ts';
import {
  anonymiseAccounts,
  anonymiseMoney,
  deletePerson,
  readMoneyBack,
  emptyWorkspace,
  forgetChanges,
  lockUnendedSubscriptions,
} from './delete-account.repository.ts';
import type { CollectDeps } from '#server/money/charges/charge-clock.ts';
import { giveUpCharge } from '#server/money/settlement/collect-charge.service.ts';
import {
  findOpenCharge,
  listOpenCharges,
} from '#server/money/charges/waiting-charge.repository.ts';
import { checkOwnPassword } from '#server/identity/sessions/own-account.service.ts';
import type { Passwords } from '#server/identity/users/password.ts';
import { keepDeletedSessions } from '#server/identity/sessions/session.repository.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import {
  customerGone,
  lockWorkspaceForDeletion,
} from '#server/identity/users/workspace-lock.repository.ts';
import { paymentBeingChecked } from '#server/money/charges/payment-error.ts';

/**
 * Deletes the customer: subscriptions and orders stop at once, nothing is charged any more, the e-mail
 * address is free again. The gateway is told soon after to forget the cards. Rows of money stay, with
 * nothing in them that says whose they were. A last mail says so.
 *
 * Refused while a payment is being decided: whatever it buys would belong to nobody. One that waits at the bank is
 * canceled first.
 *
 * @throws ApiError `payment_unknown`, `last_owner`, `session_ended`, and those of `checkOwnPassword`
 */
export async function deleteAccount(
  deps: CollectDeps & Pick<Deps, 'random'> & { passwords: Passwords },
  session: Session,
  password: string,
): Promise<void> {
  const { email } = await checkOwnPassword(deps, session, { field: 'password', password });
  const { homeId, userId: actor } = session;
  await giveUpWaiting(deps, session);
  await deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    const { alone, shared } = await lockWorkspaces(tx, session);
    for (const workspaceId of alone) await deleteWorkspace(deps, tx, { workspaceId, actor }, now);
    for (const member of shared) {
      const { workspace_id: workspaceId } = member;
      await deleteMembership(tx, member);
      await appendAudit(tx, { workspaceId, actor, action: 'member_left', subject: actor, now });
    }
    await deleteRecoveries(tx, hashEmail(deps, email));
    await keepDeletedSessions(tx, { workspaceId: homeId, userId: actor }, now);
    // Removed from their home meanwhile, they have another one; nothing is half deleted.
    if (!(await deletePerson(tx, { homeId, userId: actor, email }))) throw customerGone();
    const money = await readMoneyBack(tx, alone);
    await insertDeletionMail(tx, deps, { email, ...money, hasLeftOthers: shared.length > 0, now });
    for (const workspaceId of alone) await forgetChanges(tx, workspaceId);
  });
}

/** Payments of workspaces that go with their only member, as far as they wait at the bank. */
async function giveUpWaiting(deps: CollectDeps, session: Session): Promise<void> {
  const { db } = deps.database;
  const person = { home_workspace_id: session.homeId, user_id: session.userId };
  for (const { id: workspaceId } of await listWorkspaces(db, person)) {
    if ((await countMembers(db, workspaceId)) > 1) continue;
    for (const { chargeId, state } of await listOpenCharges(db, workspaceId)) {
      if (state === 'needs_action') await giveUpCharge(deps, { workspaceId, chargeId });
    }
  }
}

/**
 * Holds all workspaces of somebody: those they are alone in go with them, the others they leave.
 * @throws ApiError `last_owner`: others work in one that would have no owner
 */
async function lockWorkspaces(
  tx: Tx,
  session: Session,
): Promise<{ alone: WorkspaceId[]; shared: MembershipRow[] }> {
  const person = { home_workspace_id: session.homeId, user_id: session.userId };
  const ids = (await listWorkspaces(tx, person)).map(({ id }) => id).sort();
  if (ids.length === 0) throw customerGone();
  // Subscriptions before their workspace, as everywhere.
  for (const id of ids) await lockUnendedSubscriptions(tx, id);
  for (const id of ids) await lockWorkspaceForDeletion(tx, id);
  const alone: WorkspaceId[] = [];
  const shared: MembershipRow[] = [];
  for (const workspaceId of ids) {
    const member = await findMembership(tx, { workspaceId, userId: session.userId });
    if (!member) continue;
    if ((await countMembers(tx, workspaceId)) === 1) alone.push(workspaceId);
    else if (member.role === 'Owner' && !(await hasOtherOwner(tx, member))) throw othersAreThere();
    else shared.push(member);
  }
  return { alone, shared };
}

function othersAreThere(): ApiError {
  return new ApiError(
    'last_owner',
    'Other people work in your workspace. Hand it over to one of them, or remove them, before you delete your account.',
  );
}

async function deleteWorkspace(
  deps: Pick<Deps, 'ids'>,
  tx: Tx,
  { workspaceId, actor }: { workspaceId: WorkspaceId; actor: string },
  now: Date,
): Promise<void> {
  // Again, for one that has begun meanwhile.
  const unended = await lockUnendedSubscriptions(tx, workspaceId);
  if (await findOpenCharge(tx, workspaceId)) throw paymentBeingChecked();
  for (const row of unended) {
    await endSubscription(tx, deps, row, { state: 'Canceled', now });
  }
  await requestCancel(tx, workspaceId, 'all', { reason: 'stopped', now });
  await anonymiseAccounts(tx, workspaceId);
  await askForDetachment(tx, workspaceId, now);
  await anonymiseMoney(tx, workspaceId);
  await emptyWorkspace(tx, workspaceId);
  await appendAudit(tx, { workspaceId, actor, action: 'account_deleted', subject: actor, now });
}
