import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { createLoop, type Round } from '../../jobs/loop.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import {
  changeDetachment,
  claimDueDetachments,
  type DueDetachment,
  endDetachment,
} from './card-detachment.repository.ts';

const IDLE_MS = 5000;
const BATCH = 10;
/** Longer than taking a customer's cards off takes. */
const LEASE_MS = 120_000;
/** A checkout that was under way at the deletion may have saved one more card until then. */
const LOOK_AGAIN_MS = 2 * 60_000;
const TRY_AGAIN_SOONEST_MS = 60_000;
const TRY_AGAIN_LATEST_MS = 3_600_000;

type DetachDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'log'>;

/** Takes the saved cards of deleted customers off the gateway. */
export function createDetachCardsJob(deps: DetachDeps): Job {
  return createLoop({
    name: 'detach-cards',
    clock: deps.clock,
    log: deps.log,
    idleMs: IDLE_MS,
    round: () => detachDueCards(deps),
  });
}

/** One round: every deleted customer whose cards are due, at most ten. */
export async function detachDueCards(deps: DetachDeps): Promise<Round> {
  const nowMs = deps.clock.now();
  const due = await claimDueDetachments(deps.database.db, {
    now: new Date(nowMs),
    leaseUntil: new Date(nowMs + LEASE_MS),
    most: BATCH,
  });
  for (const detachment of due) await detach(deps, detachment);
  return due.length === BATCH ? 'again' : 'idle';
}

async function detach(deps: DetachDeps, detachment: DueDetachment): Promise<void> {
  const { customerId, workspaceId, askedAt } = detachment;
  const answer = await deps.gateway.detachCards({ customerId });
  const now = new Date(deps.clock.now());
  if (answer.kind === 'done') return noteDetached(deps, detachment, now);
  const reason = answer.kind === 'declined' ? answer.code : answer.reason;
  deps.log.error('cards not detached', { workspaceId, reason });
  const pastMs = now.getTime() - askedAt.getTime();
  const delayMs = Math.min(TRY_AGAIN_LATEST_MS, Math.max(TRY_AGAIN_SOONEST_MS, pastMs));
  const nextAttemptAt = new Date(now.getTime() + delayMs);
  await changeDetachment(deps.database.db, detachment, { next_attempt_at: nextAttemptAt });
}

/** Written to the audit log the first time; over when nobody can have added a card since. */
async function noteDetached(
  { database }: DetachDeps,
  detachment: DueDetachment,
  now: Date,
): Promise<void> {
  const { workspaceId, askedAt, detachedAt } = detachment;
  const lookAgainAt = new Date(askedAt.getTime() + LOOK_AGAIN_MS);
  await database.transaction(async (tx) => {
    const isOurs =
      now < lookAgainAt
        ? await changeDetachment(tx, detachment, { detached_at: now, next_attempt_at: lookAgainAt })
        : await endDetachment(tx, detachment);
    if (!isOurs || detachedAt !== null) return;
    await appendAudit(tx, { workspaceId, actor: 'system', action: 'cards_detached', now });
  });
}
