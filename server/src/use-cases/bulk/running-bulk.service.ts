import { doingInWords, refusedAction } from '#shared/domain/accounts/bulk.ts';
import { may } from '#shared/domain/people/may.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { capitalized } from '#shared/domain/words/first-letter.ts';
import { findRunning, listOperations, type OperationView } from './bulk-view.repository.ts';
import type { OperationKey } from './bulk.repository.ts';
import { STOPPED, stopItems } from './claimed-items.repository.ts';

/** Whether somebody may stop what runs: whoever started it, and whoever decides about money. */
export const mayStop = (
  session: Session,
  { state, startedBy }: Pick<OperationView, 'state' | 'startedBy'>,
): boolean => state === 'running' && (startedBy === session.userId || may(session, 'spend'));

/**
 * One operation runs in a workspace at a time.
 * @throws ApiError `bulk_running`, with whose it is and how far, as far as they may see it
 */
export async function refuseRunning(tx: Tx, session: Session): Promise<void> {
  const running = await findRunning(tx, session.workspaceId);
  if (!running) return;
  const { by, startedBy, kinds, waiting, done, failed, stopped, undoOf } = running;
  if (refusedAction(session, kinds) !== undefined) {
    throw new ApiError(
      'bulk_running',
      'Another bulk change is running. Please wait until that’s finished.',
    );
  }
  const isOwn = startedBy === session.userId;
  const who = isOwn ? 'You are' : `${by ?? 'Someone who has left'} is`;
  const doing = doingInWords(kinds, waiting + done + failed, undoOf !== null);
  if (stopped > 0) {
    throw new ApiError(
      'bulk_running',
      `${capitalized(doing)} was stopped, and what had begun is being finished. Please try again in a moment.`,
    );
  }
  const far = (done + failed).toLocaleString('en-US');
  const way = mayStop(session, running) ? ', or stop it under “Recent changes”' : '';
  throw new ApiError(
    'bulk_running',
    `${who} still ${doing}, ${far} done so far. Please wait until that’s finished${way}.`,
  );
}

/**
 * Stops what still waits of a running operation; what is under way is finished.
 * @throws ApiError `not_found`, `not_allowed`
 */
export async function stopBulk(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  session: Session,
  operationId: string,
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const [running] = await listOperations(tx, workspaceId, { operationId, limit: 1 });
    if (!running) throw new ApiError('not_found', 'We can’t find these changes.');
    // It was done meanwhile.
    if (running.state === 'done') return;
    if (!mayStop(session, running)) {
      throw new ApiError(
        'not_allowed',
        'Only the person who started these changes, an owner or a manager can stop them.',
      );
    }
    await stop(tx, { workspaceId, operationId }, { actor, reason: STOPPED, now: clock.now() });
  });
}

/** Stops what still waits of an operation whose session was ended from another one. */
export async function stopRevoked(
  { clock, database }: Pick<Deps, 'clock' | 'database'>,
  key: OperationKey,
): Promise<void> {
  const reason = 'The device that started this was logged out before it was done.';
  await database.transaction(async (tx) => {
    await lockWorkspace(tx, key.workspaceId);
    await stop(tx, key, { actor: 'system', reason, now: clock.now() });
  });
}

async function stop(
  tx: Tx,
  key: OperationKey,
  { actor, reason, now: nowMs }: { actor: string; reason: string; now: number },
): Promise<void> {
  const { workspaceId, operationId: subject } = key;
  const now = new Date(nowMs);
  if ((await stopItems(tx, key, { reason, now })) === 0) return;
  await appendAudit(tx, { workspaceId, actor, action: 'bulk_stopped', subject, now });
}
