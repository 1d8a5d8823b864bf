import { formatCents } from '#shared/domain/money/money.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import {
  findMembership,
  insertMemberCharge,
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

/** A change that charges nothing today, and what it adds to the price of each month from the next due date on. */
interface Raise extends SubscriptionKey {
  /** Negative: the plan gets cheaper, or ends. */
  addedMonthlyCents: number;
  /** An end was planned, or taken back. Undefined: a planned change of plan was set, or taken back. */
  end?: 'set' | 'lifted';
  /** No change was planned before: what earlier ones lowered no longer counts. */
  isFirst?: boolean;
}

/**
 * Counts a raise against the limit of whoever made it, although nothing is charged today. Refuses one that is more than
 * they may still spend. It counts for as long as the plan goes on. Whoever takes back a saving of their own adds nothing.
 * Whoever saves what somebody else added gives it back to them. The caller's transaction holds the workspace.
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
  const since = utcMonthStart(now);
  if (isFirst) await deleteLowerings(tx, plan);
  const before = own ? await takeRaise(tx, own, since) : 0;
  let net = cents + (end === 'lifted' ? Math.min(before, 0) : before);
  if (end === 'lifted' && before >= 0) await deleteRaises(tx, plan);
  else if (cents > 0) await deleteLowerings(tx, plan);
  else if (end === undefined) {
    const others = Math.max(0, -cents - Math.max(before, 0));
    // Whoever takes back a saving that went to others pays for it.
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
  const since = utcMonthStart(now);
  const raised = await sumRaises(db, person, since);
  return limitCents - raised - (await sumMemberCharges(db, person, since));
}

const utcMonthStart = (now: Date): Date =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));

function spendLimit(limitCents: number, leftCents: number): ApiError {
  const left = formatCents(Math.max(0, leftCents));
  return new ApiError(
    'spend_limit',
    `You can spend ${formatCents(limitCents)} a month in this workspace, and ${left} of it is left. Ask an owner.`,
  );
}
