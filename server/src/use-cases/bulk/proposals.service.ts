import type { Proposal } from '#shared/contract/accounts/bulk.ts';
import { type Allowance, PROPOSAL } from '#shared/domain/accounts/bulk.ts';
import { may } from '#shared/domain/people/may.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';
import type { Deps } from '#server/kit/deps.ts';
import { type AuditAction, appendAudit } from '#server/audit/audit.repository.ts';
import {
  findApprovalAbove,
  findMembership,
  listMembers,
  type MembershipRow,
} from '#server/identity/members/membership.repository.ts';
import { getMemberWhoMay, personOf } from '#server/identity/members/members.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { refuseSpending, spendLeft } from '#server/money/checkout/spend-limit.ts';
import { lockOperation, type OperationKey, type OperationRow } from './bulk.repository.ts';
import { countItems } from './planned-items.repository.ts';
import {
  endProposal,
  listProposals,
  listProposers,
  proposeOperation,
  type ProposalView,
  takeExpired,
} from './proposal.repository.ts';

/*
 * A second person (docs/decisions/0049-a-second-person.md).
 *
 *   draft ──costs more than its person may decide alone──> proposed ──┬─ another one starts it ──> approved
 *                                                                     ├─ another one ────────────> refused
 *                                                                     ├─ its person ─────────────> withdrawn
 *                                                                     └─ nobody for 72 h ────────> expired
 *
 * Invariants: nobody approves their own. What is approved is planned anew for whoever approves it, is exactly what was
 * proposed, costs what they were shown, and counts as their spending. A proposal is decided about once.
 */

type ProposalDeps = Pick<Deps, 'clock' | 'database' | 'ids'>;

/** Decided ones beside all that wait. */
const SHOWN_LIMIT = PROPOSAL.limit + 10;
const EXPIRY_BATCH = 100;

const ENDED: { readonly [State in 'approved' | 'refused' | 'withdrawn' | 'expired']: AuditAction } =
  {
    approved: 'bulk_approved',
    refused: 'bulk_refused',
    withdrawn: 'bulk_withdrawn',
    expired: 'bulk_expired',
  };

/** What somebody may decide alone: an owner everything. */
export async function readAllowance(db: Db, person: InWorkspace, now: Date): Promise<Allowance> {
  const member = await findMembership(db, person);
  if (!member || member.role === 'Owner') return { aboveCents: null, leftCents: null };
  const aboveCents = await findApprovalAbove(db, person.workspaceId);
  return { aboveCents, leftCents: await spendLeft(db, member, now) };
}

/** Has what was planned wait for another person, and tells those who may approve it. @throws ApiError `proposals_full` */
export async function propose(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  { workspaceId, userId: actor }: Session,
  key: OperationKey,
  now: Date,
): Promise<void> {
  const proposers = await listProposers(tx, workspaceId);
  if (proposers.filter((proposer) => proposer === actor).length >= PROPOSAL.limitOfPerson) {
    throw new ApiError(
      'proposals_full',
      `${PROPOSAL.limitOfPerson} of your changes are already waiting for approval. Please wait until some are decided, or withdraw one.`,
    );
  }
  if (proposers.length >= PROPOSAL.limit) {
    throw new ApiError(
      'proposals_full',
      `${PROPOSAL.limit} changes are already waiting for approval. Please wait until some are decided.`,
    );
  }
  const { today: todayCents } = await countItems(tx, key);
  await proposeOperation(tx, key, now);
  const { operationId } = key;
  for (const { user_id: userId } of await listApprovers(tx, {
    workspaceId,
    actor,
    todayCents,
    now,
  })) {
    const payload = { kind: 'bulk_proposed', userId, operationId } as const;
    await insertMail(tx, { workspaceId, id: ids.uuid(), payload, now });
  }
  await appendAudit(tx, { workspaceId, actor, action: 'bulk_proposed', subject: operationId, now });
}

/** Everybody else who may spend that much in this month. */
async function listApprovers(
  tx: Tx,
  of: { workspaceId: Session['workspaceId']; actor: string; todayCents: number; now: Date },
): Promise<MembershipRow[]> {
  const approvers: MembershipRow[] = [];
  for (const member of await listMembers(tx, of.workspaceId)) {
    if (member.user_id === of.actor || !may(personOf(member), 'spend')) continue;
    const left = await spendLeft(tx, member, of.now);
    if (left === null || left >= of.todayCents) approvers.push(member);
  }
  return approvers;
}

/**
 * A proposal that whoever asks may decide about, held.
 * @throws ApiError `not_found`: somebody has decided about it, or it is their own
 */
export async function lockProposal(
  tx: Tx,
  { workspaceId, userId }: Pick<Session, 'workspaceId' | 'userId'>,
  proposalId: string,
  now: Date,
): Promise<OperationRow> {
  const row = await lockOperation(tx, { workspaceId, operationId: proposalId });
  if (!row || !isOpen(row, now)) throw decided();
  if (row.started_by === userId) {
    throw new ApiError('not_found', 'Someone else has to approve what you have proposed.');
  }
  return row;
}

const isOpen = ({ state, started_at: at }: OperationRow, now: Date): boolean =>
  state === 'proposed' && at !== null && now.getTime() - at.getTime() < PROPOSAL.openMs;

function decided(): ApiError {
  return new ApiError('not_found', 'These changes no longer wait for approval.');
}

/**
 * Approves a proposal by what was planned from it. The workspace is held.
 * @throws ApiError `not_found`, `not_allowed`, `spend_limit`: they may not spend that much themselves
 */
export async function approve(
  tx: Tx,
  deps: Pick<Deps, 'ids'>,
  session: Session,
  shown: { proposalId: string; items: number; todayCents: number },
  now: Date,
): Promise<void> {
  const { workspaceId, userId } = session;
  const member = await getMemberWhoMay(tx, session, 'spend');
  const proposal = await lockProposal(tx, session, shown.proposalId, now);
  const key = { workspaceId, operationId: proposal.id };
  // A page of it wasn't looked at.
  if ((await countItems(tx, key)).all !== shown.items) throw decided();
  await refuseSpending(tx, member, shown.todayCents, now);
  await end(tx, deps, proposal, { state: 'approved', decidedBy: userId, now });
}

/**
 * Refuses what another person proposed, for a reason or without one, or withdraws what was one's own.
 * @throws ApiError `not_found`, `not_allowed`
 */
export async function closeProposal(
  deps: ProposalDeps,
  session: Session,
  { operationId, reason }: { operationId: string; reason: string },
): Promise<Proposal> {
  const { workspaceId, userId } = session;
  const now = new Date(deps.clock.now());
  await deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await getMemberWhoMay(tx, session, 'spend');
    const row = await lockOperation(tx, { workspaceId, operationId });
    if (!row || !isOpen(row, now)) throw decided();
    const isOwn = row.started_by === userId;
    const as = isOwn
      ? ({ state: 'withdrawn', decidedBy: null } as const)
      : ({ state: 'refused', decidedBy: userId, refusal: reason || null } as const);
    await end(tx, deps, row, { ...as, now });
  });
  return getProposal(deps, session, operationId);
}

/** Proposals that were made before then are over. */
export const expiredBefore = (now: Date): Date => new Date(now.getTime() - PROPOSAL.openMs);

/** Ends proposals that nobody has decided about. */
export async function expireProposals(deps: ProposalDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  await deps.database.transaction(async (tx) => {
    for (const row of await takeExpired(tx, expiredBefore(now), EXPIRY_BATCH)) {
      await end(tx, deps, row, { state: 'expired', decidedBy: null, now });
    }
  });
}

/** Its person is told what became of it, unless they decided themselves. */
async function end(
  tx: Tx,
  { ids }: Pick<Deps, 'ids'>,
  { workspace_id: workspaceId, id: operationId, started_by: userId }: OperationRow,
  { now, ...as }: Parameters<typeof endProposal>[2],
): Promise<void> {
  await endProposal(tx, { workspaceId, operationId }, { ...as, now });
  if (as.state !== 'withdrawn' && (await findMembership(tx, { workspaceId, userId }))) {
    const payload = { kind: 'bulk_decided', userId, operationId } as const;
    await insertMail(tx, { workspaceId, id: ids.uuid(), payload, now });
  }
  const actor = as.decidedBy ?? (as.state === 'expired' ? 'system' : userId);
  const action = ENDED[as.state];
  await appendAudit(tx, { workspaceId, actor, action, subject: operationId, now });
}

/** Those that wait first. */
export async function viewProposals(
  { database: { db } }: Pick<Deps, 'database'>,
  { workspaceId, userId }: Session,
): Promise<Proposal[]> {
  const rows = await listProposals(db, workspaceId, { limit: SHOWN_LIMIT });
  return rows.map((row) => viewProposal(row, userId));
}

export async function getProposal(
  { database: { db } }: Pick<Deps, 'database'>,
  { workspaceId, userId }: Session,
  operationId: string,
): Promise<Proposal> {
  const [row] = await listProposals(db, workspaceId, { operationId, limit: 1 });
  if (!row) throw decided();
  return viewProposal(row, userId);
}

function viewProposal(row: ProposalView, userId: string): Proposal {
  const { id: operationId, state, kinds, planned, by, decidedBy, refusal, startedAt } = row;
  return {
    operationId,
    state,
    kinds,
    planned,
    today: dollarsFromCents(row.todayCents),
    month: dollarsFromCents(row.monthCents),
    by,
    isOwn: row.startedBy === userId,
    decidedBy,
    ...(refusal !== null && { reason: refusal }),
    at: startedAt.toISOString(),
    until: new Date(startedAt.getTime() + PROPOSAL.openMs).toISOString(),
  };
}
