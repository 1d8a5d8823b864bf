import type { GatewayOutcome } from '../../adapters/stripe/card-gateway.ts';
import type { Deps } from '../../deps.ts';
import type { Job } from '../../jobs/job.ts';
import { createLoop, type Round } from '../../jobs/loop.ts';
import { appendAudit } from '../audit/audit.repository.ts';
import {
  changeDetachment,
  claimDueDetachments,
  type DueDetachment,
  endDetachment,
  LOOK_AGAIN_MS,
} from './card-detachment.repository.ts';
import { findLostCustomers } from './find-lost-customers.service.ts';

const IDLE_MS = 5000;
const BATCH = 10;
/** Longer than either takes. */
const LEASE_MS = 120_000;
const TRY_AGAIN_SOONEST_MS = 60_000;
const TRY_AGAIN_LATEST_MS = 3_600_000;

type DetachDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'log'>;

/**
 * Makes the gateway forget deleted customers: their saved cards within seconds, the customer itself, which
 * has the e-mail address, once no money of it is on its way any more. Until then an operator must be able
 * to see at the gateway whose money it is, because a gateway does nothing more with a customer it has
 * deleted; giving back what was paid stays possible. Customers nobody here has heard of are looked for too.
 */
export function createDetachCardsJob(deps: DetachDeps): Job {
  return createLoop({
    name: 'detach-cards',
    clock: deps.clock,
    log: deps.log,
    idleMs: IDLE_MS,
    round: async () => {
      const rounds = [await detachDueCards(deps), await findLostCustomers(deps)];
      return rounds.includes('again') ? 'again' : 'idle';
    },
  });
}

/** One round: the next step of every deleted customer that is due, at most ten. */
export async function detachDueCards(deps: DetachDeps): Promise<Round> {
  const nowMs = deps.clock.now();
  const due = await claimDueDetachments(deps.database.db, {
    now: new Date(nowMs),
    leaseUntil: new Date(nowMs + LEASE_MS),
    most: BATCH,
  });
  for (const detachment of due) {
    await (areCardsOff(detachment) ? deleteCustomer : detach)(deps, detachment);
  }
  return due.length === BATCH ? 'again' : 'idle';
}

const lookAgainAt = ({ askedAt }: DueDetachment): Date =>
  new Date(askedAt.getTime() + LOOK_AGAIN_MS);

/** Whether there was none when nobody could add one any more. */
function areCardsOff(detachment: DueDetachment): boolean {
  const { detachedAt } = detachment;
  return detachedAt !== null && detachedAt >= lookAgainAt(detachment);
}

async function detach(deps: DetachDeps, detachment: DueDetachment): Promise<void> {
  const { customerId, workspaceId, detachedAt } = detachment;
  const answer = await deps.gateway.detachCards({ customerId });
  if (answer.kind !== 'done') return tryLater(deps, detachment, 'cards not detached', answer);
  const now = new Date(deps.clock.now());
  const againAt = lookAgainAt(detachment);
  const next = { detached_at: now, next_attempt_at: now < againAt ? againAt : now };
  await deps.database.transaction(async (tx) => {
    const isOurs = await changeDetachment(tx, detachment, next);
    if (!isOurs || detachedAt !== null) return;
    await appendAudit(tx, { workspaceId, actor: 'system', action: 'cards_detached', now });
  });
}

async function deleteCustomer(deps: DetachDeps, detachment: DueDetachment): Promise<void> {
  const { customerId, workspaceId } = detachment;
  const answer = await deps.gateway.deleteCustomer({ customerId });
  if (answer.kind !== 'done') return tryLater(deps, detachment, 'customer not deleted', answer);
  const now = new Date(deps.clock.now());
  await deps.database.transaction(async (tx) => {
    if (!(await endDetachment(tx, detachment))) return;
    await appendAudit(tx, {
      workspaceId,
      actor: 'system',
      action: 'gateway_customer_deleted',
      now,
    });
  });
}

async function tryLater(
  deps: DetachDeps,
  detachment: DueDetachment,
  event: string,
  failure: Exclude<GatewayOutcome<object>, { kind: 'done' }>,
): Promise<void> {
  const { workspaceId, askedAt } = detachment;
  const reason = failure.kind === 'declined' ? failure.code : failure.reason;
  deps.log.error(event, { workspaceId, reason });
  const nowMs = deps.clock.now();
  const pastMs = nowMs - askedAt.getTime();
  const delayMs = Math.min(TRY_AGAIN_LATEST_MS, Math.max(TRY_AGAIN_SOONEST_MS, pastMs));
  const next = { next_attempt_at: new Date(nowMs + delayMs) };
  await changeDetachment(deps.database.db, detachment, next);
}
