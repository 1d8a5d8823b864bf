import { formatCents } from '#shared/domain/money.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import {
  insertMemberCharge,
  sumMemberCharges,
} from '#server/identity/members/membership.repository.ts';
import { getMemberWhoMay } from '#server/identity/members/members.service.ts';

/**
 * Counts a charge as its person's, in the transaction that has written it and holds the workspace; an owner's isn't
 * counted. A manager with a limit spends no more than that in a calendar month (UTC).
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
  if (member.role === 'Owner') return;
  const limitCents = member.spend_limit_cents;
  if (limitCents !== null) {
    const { now } = charge;
    const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
    const spentCents = await sumMemberCharges(tx, charge, since);
    if (spentCents + charge.amountCents > limitCents) {
      throw spendLimit(limitCents, limitCents - spentCents);
    }
  }
  await insertMemberCharge(tx, charge, charge);
}

function spendLimit(limitCents: number, leftCents: number): ApiError {
  const left = formatCents(Math.max(0, leftCents));
  return new ApiError(
    'spend_limit',
    `You can spend ${formatCents(limitCents)} a month in this workspace, and ${left} of it is left. Ask an owner.`,
  );
}
