import type { BulkItem, BulkOperation, Proposal } from '#shared/contract/accounts/bulk.ts';
import { BULK_LIMITS, BULK_TIMES, refusedAction } from '#shared/domain/accounts/bulk.ts';
import { centsFromDollars, dollarsFromCents } from '#shared/domain/money/money.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { getMemberWhoMay, notAllowed } from '#server/identity/members/members.service.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { countLookUpsAhead } from '#server/network/accounts/look-up-account.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import {
  beginOperation,
  insertOperation,
  insertUndo,
  type ItemRow,
  lockOperation,
  type NewItem,
  type OperationKey,
  type OperationRow,
} from './bulk.repository.ts';
import { listEnded, listOperations, type OperationView } from './bulk-view.repository.ts';
import { countAdded, countItems } from './planned-items.repository.ts';
import { isTooMuch, planGone } from './plan-bulk.service.ts';
import { approve, getProposal, propose } from './proposals.service.ts';
import { mayStop, refuseRunning } from './running-bulk.service.ts';

/** So many operations are shown. */
const SHOWN_LIMIT = 10;

type BulkDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'settings'>;

/** What somebody was shown before they said yes. */
interface Shown {
  operationId: string;
  planned: number;
  today: number;
}

/**
 * Begins what was planned, if that is still what was shown. What was planned from a proposal is approved by that.
 * @throws ApiError `not_found`, `price_changed`, `bulk_running`, `not_allowed`, `needs_approval`, `spend_limit`,
 * `rate_limited`
 */
export async function startBulk(
  deps: BulkDeps,
  session: Session,
  { address, ...shown }: Shown & { address?: string | undefined },
): Promise<BulkOperation> {
  const { workspaceId, userId } = session;
  const key = { workspaceId, operationId: shown.operationId.toLowerCase() };
  const now = new Date(deps.clock.now());
  await deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const draft = await lockDraft(tx, key, userId);
    // The same again: its answer was lost.
    if (!draft) return;
    const sums = await countShown(tx, draft, shown, now);
    if (draft.approves !== null) {
      const approved = { proposalId: draft.approves, items: sums.all, todayCents: sums.today };
      await approve(tx, deps, session, approved, now);
    } else if (await isTooMuch(tx, session, sums, now)) {
      throw new ApiError(
        'needs_approval',
        'This costs more than you can decide alone. Please reload the page to ask for approval.',
      );
    }
    // Last: what another person has approved meanwhile is running, and that isn’t what they need to hear.
    await refuseRunning(tx, session);
    const count = await countAdded(tx, key);
    await countLookUpsAhead({ ...deps, database: { db: tx } }, { workspaceId, address, count });
    await begin(tx, key, session, now);
  });
  return getOperation(deps, session, key.operationId);
}

/**
 * Has what was planned wait for the approval of another person, if it is still what was shown.
 * @throws ApiError `not_found`, `price_changed`, `not_allowed`, `proposals_full`
 */
export async function proposeBulk(
  deps: BulkDeps,
  session: Session,
  shown: Shown,
): Promise<Proposal> {
  const { workspaceId, userId } = session;
  const key = { workspaceId, operationId: shown.operationId.toLowerCase() };
  const now = new Date(deps.clock.now());
  await deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await getMemberWhoMay(tx, session, 'spend');
    const draft = await lockDraft(tx, key, userId);
    if (!draft) return;
    // Who approves can’t pass it on.
    if (draft.approves !== null) throw planGone();
    await countShown(tx, draft, shown, now);
    await propose(tx, deps, session, key, now);
  });
  return getProposal(deps, session, key.operationId);
}

/** Undefined: it was begun or proposed already. @throws ApiError `not_found` */
async function lockDraft(tx: Tx, key: OperationKey, userId: string) {
  const operation = await lockOperation(tx, key);
  if (operation?.started_by !== userId) throw planGone();
  return operation.state === 'draft' ? operation : undefined;
}

/** What is planned, if it is what was shown, and not long ago. @throws ApiError `price_changed` */
async function countShown(tx: Tx, draft: OperationRow, shown: Shown, now: Date) {
  const sums = await countItems(tx, { workspaceId: draft.workspace_id, operationId: draft.id });
  const isOld = now.getTime() - draft.created_at.getTime() > BULK_TIMES.draftMs;
  const isSame = sums.planned === shown.planned && sums.today === centsFromDollars(shown.today);
  if (isOld || !isSame || sums.planned === 0) throw pricesChanged();
  return sums;
}

async function begin(tx: Tx, key: OperationKey, session: Session, now: Date): Promise<void> {
  const { workspaceId, operationId: subject } = key;
  const { sessionId, userId: actor } = session;
  await beginOperation(tx, { ...key, sessionId }, now);
  await appendAudit(tx, { workspaceId, actor, action: 'bulk_started', subject, now });
}

function pricesChanged(): ApiError {
  return new ApiError(
    'price_changed',
    'These changes or their prices are no longer what you saw. Nothing was changed. Please check them again.',
  );
}

/**
 * Takes back what an operation changed.
 * @throws ApiError `not_found`: there is nothing to undo, or not any more; `bulk_running`, `not_allowed`, `needs_approval`
 */
export async function undoBulk(
  deps: BulkDeps,
  session: Session,
  undoOf: string,
): Promise<BulkOperation> {
  const { workspaceId, userId } = session;
  const operationId = deps.ids.uuid();
  const now = new Date(deps.clock.now());
  await deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const [undone] = await listOperations(tx, workspaceId, { operationId: undoOf, limit: 1 });
    if (!undone || undoUntilOf(undone, now) === null) {
      throw new ApiError('not_found', 'This can no longer be undone.');
    }
    const refused = refusedAction(session, undone.kinds);
    if (refused) throw notAllowed(refused);
    await refuseRunning(tx, session);
    const key = { workspaceId, operationId };
    const draft = { state: 'draft', started_by: userId, undo_of: undone.id } as const;
    await insertOperation(tx, key, { ...draft, created_at: now });
    await insertUndo(tx, key, undone.id, () => deps.ids.uuid());
    const original = await lockOperation(tx, { workspaceId, operationId: undone.id });
    // Whoever stopped plans alone may have them back alone. What others stopped is a decision about money.
    const isOthers = original?.started_by !== userId;
    if (isOthers && (await isTooMuch(tx, session, await countItems(tx, key), now))) {
      throw new ApiError(
        'needs_approval',
        'Undoing this costs more a month than you can decide alone. Please ask an owner.',
      );
    }
    await begin(tx, key, session, now);
  });
  return getOperation(deps, session, operationId);
}

/** How the newest operations stand, or this one; those with money only for whose role may see it. */
export async function viewBulk(
  { clock, database: { db } }: BulkDeps,
  session: Session,
  operationId?: string,
): Promise<BulkOperation[]> {
  const rows = await listOperations(db, session.workspaceId, { operationId, limit: SHOWN_LIMIT });
  const now = new Date(clock.now());
  const shown = rows.filter(({ kinds }) => refusedAction(session, kinds) === undefined);
  return shown.map((row) => viewOperation(row, session, now));
}

/** @throws ApiError `not_found` */
export async function getOperation(
  { clock, database: { db } }: BulkDeps,
  session: Session,
  operationId: string,
): Promise<BulkOperation> {
  const [row] = await listOperations(db, session.workspaceId, { operationId, limit: 1 });
  if (!row || refusedAction(session, row.kinds) !== undefined) {
    throw new ApiError('not_found', 'We can’t find these changes.');
  }
  return viewOperation(row, session, new Date(clock.now()));
}

/** The changes of an operation that weren't made. @throws ApiError `not_found` */
export async function viewUnmade(
  deps: BulkDeps,
  session: Session,
  { operationId, after = -1 }: { operationId: string; after?: number | undefined },
): Promise<BulkItem[]> {
  const key = { workspaceId: session.workspaceId, operationId };
  await getOperation(deps, session, operationId);
  const page = { after, limit: BULK_LIMITS.page };
  return (await listEnded(deps.database.db, key, 'unmade', page)).map(viewItem);
}

export function viewItem(
  item: Pick<
    ItemRow | NewItem,
    'position' | 'ig_username' | 'outcome' | 'code' | 'reason' | 'change'
  > &
    Pick<ItemRow, 'today_cents' | 'month_cents'>,
): BulkItem {
  return {
    position: item.position,
    igUsername: item.ig_username,
    change: item.change,
    outcome: item.outcome,
    reason: item.reason,
    ...(item.code === 'stopped' && { isStopped: true }),
    today: dollarsFromCents(item.today_cents),
    month: dollarsFromCents(item.month_cents),
  };
}

function undoUntilOf(row: OperationView, now: Date): Date | null {
  if (row.state !== 'done' || row.endedAt === null || row.undoable === 0) return null;
  const until = new Date(row.endedAt.getTime() + BULK_TIMES.undoMs);
  return until > now ? until : null;
}

function viewOperation(row: OperationView, session: Session, now: Date): BulkOperation {
  const undoUntil = undoUntilOf(row, now);
  return {
    operationId: row.id,
    state: row.state,
    isUndo: row.undoOf !== null,
    by: row.by,
    canStop: mayStop(session, row),
    kinds: row.kinds,
    waiting: row.waiting,
    done: row.done,
    failed: row.failed,
    stopped: row.stopped,
    today: dollarsFromCents(row.todayCents),
    month: dollarsFromCents(row.monthCents),
    startedAt: row.startedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    undoable: undoUntil ? row.undoable : 0,
    undoUntil: undoUntil?.toISOString() ?? null,
  };
}
