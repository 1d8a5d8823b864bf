import { formatCents } from '#shared/domain/money/money.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import {
  findMembership,
  insertMemberCharge,
  type InWorkspace,
  type MembershipRow,
  sumMemberCharges,
} from '#server/identity/members/membership.repository.ts';
import { getMemberWhoMay } from '#server/identity/members/members.service.ts';
import type { SubscriptionKey } from '../subscriptions/subscription-work.repository.ts';
import {
  deleteLowerings,
  deleteRaises,
  lowerRaises,
  putRaise,
  sumRaises,
  takeRaise,
} from './member-raise.repository.ts';

/**
 * Counts a charge as its person's, who stands with it from then on, in the transaction that has written it and holds the
 * workspace. A manager with a limit spends no more than that in a calendar month (UTC); an owner has none.
 * @throws ApiError `spend_limit`, `not_allowed`: they may spend nothing any more
 */
export async function countSpend(
  tx: Tx,
  charge: {
    workspaceId: WorkspaceId;
    userId: string;
    chargeId: string;
    amountCents: number;
    now: Date;
  },
): Promise<void> {
  const member = await getMemberWhoMay(tx, charge, 'spend');
  await insertMemberCharge(tx, charge, charge);
  const leftCents = await spendLeft(tx, member, charge.now);
  if (leftCents === null || leftCents >= 0) return;
  throw spendLimit(member.spend_limit_cents ?? 0, leftCents + charge.amountCents);
}

/** Refuses what goes beyond somebody's limit of this month. @throws ApiError `spend_limit` */
export async function refuseSpending(
  db: Db,
  member: MembershipRow,
  amountCents: number,
  now: Date,
): Promise<void> {
  const leftCents = await spendLeft(db, member, now);
  if (leftCents === null || amountCents <= leftCents) return;
  throw spendLimit(member.spend_limit_cents ?? 0, leftCents);
}

/** What a plan that goes on or ends, or another one that follows it, costs more from its next date on; or less. */
interface Raise extends SubscriptionKey {
  addedMonthlyCents: number;
  /** It is to end, or was to; otherwise another plan follows it, or doesn't any more. */
  end?: 'set' | 'lifted';
  /** Nothing was to follow it: what somebody had it cost less has begun, or is overtaken. */
  isFirst?: boolean;
}

/**
 * Counts that somebody has a plan go on, or another one follow it, though nothing is charged, and refuses what costs more
 * than they may still spend; in a transaction that holds the workspace. It counts for as long as the plan goes on. Who
 * takes back what they had it cost less adds nothing by that, and what others had it cost more is theirs again.
 * @throws ApiError `spend_limit`
 */
export async function countRaise(
  tx: Tx,
  { addedMonthlyCents: cents, end, isFirst = false, ...plan }: Raise,
  userId: string | undefined,
  now: Date,
): Promise<void> {
  const { workspaceId } = plan;
  const member = userId && (await findMembership(tx, { workspaceId, userId }));
  const own = member && { ...plan, userId: member.user_id };
  const since = monthOf(now);
  if (isFirst) await deleteLowerings(tx, plan);
  const before = own ? await takeRaise(tx, own, since) : 0;
  let net = cents + (end === 'lifted' ? Math.min(before, 0) : before);
  if (end === 'lifted' && before >= 0) await deleteRaises(tx, plan);
  else if (cents > 0) await deleteLowerings(tx, plan);
  else if (end === undefined) {
    const others = Math.max(0, -cents - Math.max(before, 0));
    // What others have back isn't theirs to take back for nothing.
    net += await lowerRaises(tx, plan, { cents: others, since });
  }
  // An owner has no limit that it could count against.
  if (!own || (member.role === 'Owner' && net > 0)) return;
  // Whoever is beyond a limit that was lowered may still spend less.
  if (cents > 0 && net > 0) await refuseSpending(tx, member, net, now);
  await putRaise(tx, own, { cents: net, now });
}

/** Whether there is a limit to what somebody may spend; who has left may spend nothing. */
export async function hasSpendLimit(db: Db, person: InWorkspace): Promise<boolean> {
  const member = await findMembership(db, person);
  return !member || (member.role !== 'Owner' && member.spend_limit_cents !== null);
}

/** What somebody may still spend in this month; null: there is no limit, as an owner has none. */
export async function spendLeft(
  db: Db,
  {
    role,
    spend_limit_cents: limitCents,
    workspace_id: workspaceId,
    user_id: userId,
  }: MembershipRow,
  now: Date,
): Promise<number | null> {
  if (role === 'Owner' || limitCents === null) return null;
  const person = { workspaceId, userId };
  const since = monthOf(now);
  const raised = await sumRaises(db, person, since);
  return limitCents - raised - (await sumMemberCharges(db, person, since));
}

const monthOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));

function spendLimit(limitCents: number, leftCents: number): ApiError {
  const left = formatCents(Math.max(0, leftCents));
  return new ApiError(
    'spend_limit',
    `You can spend ${formatCents(limitCents)} a month in this workspace, and ${left} of it is left. Ask an owner.`,
  );
}
