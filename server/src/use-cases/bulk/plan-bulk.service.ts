import { BULK_LIMITS, needsApproval, refusedAction } from '#shared/domain/accounts/bulk.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { notAllowed } from '#server/identity/members/members.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import {
  deleteDrafts,
  findOperation,
  insertOperation,
  lockOperation,
  type NewItem,
  replaceItems,
} from './bulk.repository.ts';
import { planItems, type Wanted } from './plan-items.ts';
import { countItems } from './planned-items.repository.ts';
import { listProposed } from './proposal.repository.ts';
import { lockProposal, readAllowance } from './proposals.service.ts';

/**
 * A page of what is to be changed, each account with what it would cost now and whether it can be. Changes nothing.
 * @throws ApiError `not_allowed`, `not_found`: the pages before are gone; `invalid_input`, `rate_limited`
 */
export async function planBulk(
  deps: Deps,
  session: Session,
  page: { operationId: string; from: number; changes: readonly Wanted[] },
): Promise<PlannedPage> {
  const { from, changes } = page;
  const kinds = changes.map(({ change }) => change.kind);
  const refused = refusedAction(session, kinds);
  if (refused) throw notAllowed(refused);
  if (from + changes.length > BULK_LIMITS.items) {
    const limit = BULK_LIMITS.items.toLocaleString('en-US');
    throw new ApiError('invalid_input', `Please change at most ${limit} accounts at once.`);
  }
  return planInto(deps, session, { ...page, approves: null }, async () => changes);
}

/**
 * The same of what somebody else has proposed, as it would be now: starting it approves the proposal.
 * @throws ApiError `not_found`: it no longer waits, or is one's own; `not_allowed`, `rate_limited`
 */
export function reviewBulk(
  deps: Deps,
  session: Session,
  { proposalId, ...page }: { operationId: string; from: number; proposalId: string },
): Promise<PlannedPage> {
  const { from } = page;
  return planInto(deps, session, { ...page, approves: proposalId }, async (tx, now) => {
    const proposal = await lockProposal(tx, session, proposalId, now);
    const key = { workspaceId: proposal.workspace_id, operationId: proposal.id };
    return listProposed(tx, key, { from, limit: BULK_LIMITS.page });
  });
}

export interface PlannedPage {
  items: NewItem[];
  planned: number;
  today: number;
  month: number;
  needsApproval: boolean;
}

async function planInto(
  deps: Deps,
  session: Session,
  page: { operationId: string; from: number; approves: string | null },
  read: (tx: Tx, now: Date) => Promise<readonly Wanted[]>,
): Promise<PlannedPage> {
  const { workspaceId, userId } = session;
  const { from, approves } = page;
  await limit(deps, { ...LIMITS.bulk, key: workspaceId });
  const key = { workspaceId, operationId: page.operationId.toLowerCase() };
  return deps.database.transaction(async (tx) => {
    const now = new Date(deps.clock.now());
    const changes = await read(tx, now);
    if (from === 0) {
      await deleteDrafts(tx, workspaceId, userId);
      if (await findOperation(tx, key)) throw planGone();
      const draft = { state: 'draft', started_by: userId, approves, created_at: now } as const;
      await insertOperation(tx, key, draft);
    }
    // Held: a start waits, or was first.
    const operation = await lockOperation(tx, key);
    const isOwn = operation?.state === 'draft' && operation.started_by === userId;
    const isSame = operation?.approves === approves;
    if (!isOwn || !isSame || (await countItems(tx, key)).all < from) throw planGone();
    const items = await planItems(deps, tx, { key, from, changes, now });
    await replaceItems(tx, key, from, items);
    const { planned, today, month, added } = await countItems(tx, key);
    const isBeyond = approves === null && (await isTooMuch(tx, session, { today, added }, now));
    return { planned, today, month, items, needsApproval: isBeyond };
  });
}

/** Whether it costs more than they may decide alone. What it saves doesn't count: each change may come to nothing. */
export async function isTooMuch(
  tx: Tx,
  session: Session,
  { today: todayCents, added: addedCents }: { today: number; added: number },
  now: Date,
): Promise<boolean> {
  return needsApproval({ todayCents, addedCents }, await readAllowance(tx, session, now));
}

export function planGone(): ApiError {
  return new ApiError('not_found', 'This plan is gone. Please check the changes again.');
}
