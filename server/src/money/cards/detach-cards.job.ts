import type { WorkspaceId } from '#shared/domain/ids.ts';
import { backoffByAgeMs } from '#server/kit/async/backoff.ts';
import { leaseOf } from '#server/kit/db/claim-due.ts';
import type { GatewayOutcome } from '#server/adapters/stripe/card-gateway.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop, type Round } from '#server/kit/jobs/loop.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import {
  changeDetachment,
  claimDueDetachments,
  type DueDetachment,
  endDetachment,
  CHECK_AGAIN_MS,
} from './card-detachment.repository.ts';
import {
  adoptCustomer,
  askAgainLater,
  claimDueCustomerRequests,
  type CustomerRequest,
  endCustomerRequest,
} from './gateway-customer.repository.ts';

const IDLE_MS = 5000;
const BATCH = 10;
/** Longer than a step takes. */
const LEASE_MS = 120_000;
const TRY_AGAIN = { firstMs: MINUTE_MS, longestMs: HOUR_MS };

type DetachDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'log'>;

/**
 * Makes the gateway forget deleted customers: their saved cards within seconds, the customer itself, which
 * has the e-mail address, once no money of it is on its way any more. Until then an operator must be able
 * to see at the gateway whose money it is, because a gateway does nothing more with a customer it has
 * deleted; giving back what was paid stays possible. Customers nobody here has heard of are looked for too.
 */
export function createDetachCardsJob(deps: DetachDeps): Job {
  return createLoop(deps, {
    name: 'detach-cards',
    idleMs: IDLE_MS,
    round: async () => {
      const rounds = [await detachDueCards(deps), await findLostCustomers(deps)];
      return rounds.includes('again') ? 'again' : 'idle';
    },
  });
}

/** One round: the next step of every deleted customer that is due, at most ten. */
export async function detachDueCards(deps: DetachDeps): Promise<Round> {
  const lease = leaseOf(deps.clock, { leaseMs: LEASE_MS, limit: BATCH });
  const due = await claimDueDetachments(deps.database.db, lease);
  for (const detachment of due) {
    await (areCardsOff(detachment) ? deleteCustomer : detach)(deps, detachment);
  }
  return due.length === BATCH ? 'again' : 'idle';
}

const checkAgainAt = ({ askedAt }: DueDetachment): Date =>
  new Date(askedAt.getTime() + CHECK_AGAIN_MS);

/** Whether there was none when nobody could add one any more. */
function areCardsOff(detachment: DueDetachment): boolean {
  const { detachedAt } = detachment;
  return detachedAt !== null && detachedAt >= checkAgainAt(detachment);
}

async function detach(deps: DetachDeps, detachment: DueDetachment): Promise<void> {
  const { customerId, workspaceId, detachedAt } = detachment;
  const answer = await deps.gateway.detachCards({ customerId });
  if (answer.kind !== 'done') return tryLater(deps, detachment, 'cards not detached', answer);
  const now = new Date(deps.clock.now());
  const againAt = checkAgainAt(detachment);
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

/** Logs why a step failed. @returns when it is tried again, the later the longer it has been asked for */
function nextTry(
  { clock, log }: DetachDeps,
  event: string,
  asked: { workspaceId: WorkspaceId; askedAt: Date },
  failure: Exclude<GatewayOutcome<object>, { kind: 'done' }>,
): Date {
  const reason = failure.kind === 'declined' ? failure.code : failure.reason;
  log.error(event, { workspaceId: asked.workspaceId, reason });
  const nowMs = clock.now();
  return new Date(nowMs + backoffByAgeMs(nowMs - asked.askedAt.getTime(), TRY_AGAIN));
}

async function tryLater(
  deps: DetachDeps,
  detachment: DueDetachment,
  event: string,
  failure: Exclude<GatewayOutcome<object>, { kind: 'done' }>,
): Promise<void> {
  const next_attempt_at = nextTry(deps, event, detachment, failure);
  await changeDetachment(deps.database.db, detachment, { next_attempt_at });
}

/**
 * One round: customers the gateway was asked to make, and whose answer was lost, are asked for again with
 * the same key, which tells their id and makes no second one. Who has none yet keeps it; otherwise the
 * gateway is told to forget it, so that no address stays there that nobody here knows of. At most ten.
 *
 * Keys are forgotten after a day: then the second call makes one more, which is deleted or kept just so,
 * and the first, if it was ever made, stays. That takes a gateway that is away for a day; I7 tells of it.
 */
export async function findLostCustomers(deps: DetachDeps): Promise<Round> {
  const lease = leaseOf(deps.clock, { leaseMs: LEASE_MS, limit: BATCH });
  const due = await claimDueCustomerRequests(deps.database.db, lease);
  for (const request of due) await findOne(deps, request);
  return due.length === BATCH ? 'again' : 'idle';
}

async function findOne(deps: DetachDeps, request: CustomerRequest): Promise<void> {
  const { database, gateway } = deps;
  const { workspace_id: workspaceId, key, email } = request;
  const made = await gateway.createCustomer({ key, email, workspaceId });
  if (made.kind !== 'done') return askLater(deps, request, made);
  const { customerId } = made;
  const isKept = await database.transaction((tx) => adoptCustomer(tx, workspaceId, customerId));
  if (!isKept) {
    const gone = await gateway.deleteCustomer({ customerId });
    if (gone.kind !== 'done') return askLater(deps, request, gone);
  }
  await endCustomerRequest(database.db, request);
}

async function askLater(
  deps: DetachDeps,
  request: CustomerRequest,
  failure: Exclude<GatewayOutcome<object>, { kind: 'done' }>,
): Promise<void> {
  const asked = { workspaceId: request.workspace_id, askedAt: request.asked_at };
  const at = nextTry(deps, 'lost gateway customer not found', asked, failure);
  await askAgainLater(deps.database.db, request, at);
}
