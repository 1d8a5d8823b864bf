import { HOUR_MS } from '#shared/domain/durations.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { isUniqueViolation } from '#server/kit/db/database-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { dateInWords } from '#shared/domain/words/date-in-words.ts';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import { findUser } from '#server/identity/users/user.repository.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { listOwners } from '#server/identity/members/membership.repository.ts';
import { getMemberWhoMay } from '#server/identity/members/members.service.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import type { SubscriptionRow } from '#server/money/subscriptions/subscription.repository.ts';
import { lockUnended } from '#server/money/subscriptions/subscription-work.repository.ts';
import {
  type AccountRow,
  getAccountByUsername,
} from '#server/network/accounts/account.repository.ts';
import { notConnected } from '#server/network/accounts/account-refusals.ts';
import {
  lockAccount,
  lockSchedule,
  setUsernameChangedAt,
  renameAccount,
} from '#server/network/accounts/account-rename.repository.ts';
import { lookUpAccount, type ReadAccount } from '#server/network/accounts/look-up-account.ts';
import { moveToOtherAccount } from './move-account.ts';
import { storeAccountReading } from '#server/network/accounts/reading.repository.ts';

const CHANGE_EVERY_MS = 48 * HOUR_MS;

interface UsernameChange {
  workspaceId: WorkspaceId;
  userId: string;
  /** Of the client. */
  address: string;
  oldIgUsername: string;
  igUsername: string;
}

/**
 * Changes the name of a connected account; never charges (D6). When the network has the same account
 * behind the new name, everything stays. When it is another account, the subscription moves there with
 * a new baseline; the old one stays connected, without a plan, so that its posts stay readable, unless
 * nothing was ever bought for it.
 *
 * Locks are taken in the order subscription, workspace (its budgets and clients), poll schedule, account, reservation.
 *
 * @throws ApiError `not_found`, `not_allowed`, `username_changed_recently`, `too_many_accounts`,
 * `account_already_subscribed`, and those of
 * `lookUpAccount`
 */
export async function updateUsername(
  deps: Pick<Deps, 'clock' | 'database' | 'ids' | 'log' | 'network' | 'random' | 'settings'>,
  change: UsernameChange,
): Promise<void> {
  const { workspaceId, oldIgUsername, igUsername } = change;
  const account = await getAccountByUsername(deps.database.db, workspaceId, oldIgUsername);
  if (oldIgUsername === igUsername) return;
  refuseTooSoon(account, deps.clock.now());
  const reading = await lookUpAccount(deps, change);
  try {
    await deps.database.transaction((tx) => applyChange(tx, deps, change, account.id, reading));
  } catch (error) {
    if (isUniqueViolation(error, 'account_username_is_connected')) throw nameIsTaken(igUsername);
    throw error;
  }
}

async function applyChange(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'ids' | 'settings'>,
  change: UsernameChange,
  accountId: AccountId,
  reading: ReadAccount,
): Promise<void> {
  const { workspaceId, userId: actor, oldIgUsername, igUsername } = change;
  const key = { workspaceId, accountId };
  const subscription = await lockUnended(tx, workspaceId, accountId);
  await lockWorkspace(tx, workspaceId);
  const isPolled = (await lockSchedule(tx, key)) ?? false;
  const account = await lockAccount(tx, key);
  const now = new Date(deps.clock.now());
  // Somebody else of the workspace may have changed it since.
  if (account?.ig_username !== oldIgUsername) throw notConnected(oldIgUsername);
  refuseTooSoon(account, now.getTime());
  let finalId = accountId;
  let isPlanMoved = false;
  if (account.ig_id === null || account.ig_id === reading.account.igId) {
    await renameAccount(tx, key, igUsername, now);
    await storeAccountReading(tx, { ...key, reading, now });
  } else {
    if (subscription) {
      // What a plan pays for is whoever's who may buy one: who may only correct a name doesn't take it elsewhere.
      await getMemberWhoMay(tx, change, 'spend');
      refuseSecondMove(subscription);
    }
    const move = { userId: actor, igUsername, account, subscription, isPolled, reading, now };
    finalId = await moveToOtherAccount(tx, deps, move);
    isPlanMoved = subscription !== undefined;
    if (isPlanMoved) await tellOwners(tx, deps, change, now);
  }
  await setUsernameChangedAt(tx, workspaceId, [accountId, finalId], now);
  const subject = finalId;
  const action = isPlanMoved ? 'plan_moved' : 'username_changed';
  await appendAudit(tx, { workspaceId, actor, action, subject, now });
}

/** Nothing is charged, so no limit holds anybody back: the owners hear of it. */
async function tellOwners(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  { workspaceId, userId, oldIgUsername: from, igUsername: to }: UsernameChange,
  now: Date,
): Promise<void> {
  const by = (await findUser(tx, { workspaceId, userId }))?.name ?? 'Someone';
  for (const owner of await listOwners(tx, workspaceId)) {
    const payload = { kind: 'plan_moved', userId: owner, by, from, to } as const;
    await insertMail(tx, { workspaceId, id: deps.ids.uuid(), payload, now });
  }
}

function refuseTooSoon({ username_changed_at: changedAt }: AccountRow, nowMs: number): void {
  if (!changedAt) return;
  const waitMs = changedAt.getTime() + CHANGE_EVERY_MS - nowMs;
  if (waitMs <= 0) return;
  const hours = Math.ceil(waitMs / HOUR_MS);
  throw new ApiError(
    'username_changed_recently',
    `A username can be changed once every 48 hours. Please try again in ${hours === 1 ? '1 hour' : `${hours} hours`}.`,
  );
}

/** Another network account behind a plan gets a new baseline, so it may change once in a period paid for. */
function refuseSecondMove({ moved_at: movedAt, ...row }: SubscriptionRow): void {
  if (row.displaced_at || !movedAt || movedAt < row.period_started_at) return;
  const day = dateInWords(row.next_billing_at, row.time_zone);
  throw new ApiError(
    'username_changed_recently',
    `A plan can move to another account once per paid month. You can move it again on ${day}.`,
  );
}

function nameIsTaken(igUsername: string): ApiError {
  return new ApiError(
    'account_already_subscribed',
    `You already have an account named @${igUsername}. Please use “Change username” on that one first.`,
  );
}
