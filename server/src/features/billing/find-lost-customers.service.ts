import type { GatewayOutcome } from '../../adapters/stripe/card-gateway.ts';
import type { Deps } from '../../deps.ts';
import type { Round } from '../../jobs/loop.ts';
import {
  adoptCustomer,
  askAgainLater,
  claimDueCustomerRequests,
  type CustomerRequest,
  endCustomerRequest,
} from './customer-request.repository.ts';

const BATCH = 10;
/** Longer than both calls take. */
const LEASE_MS = 120_000;
const TRY_AGAIN_SOONEST_MS = 60_000;
const TRY_AGAIN_LATEST_MS = 3_600_000;

type FindDeps = Pick<Deps, 'clock' | 'database' | 'gateway' | 'log'>;

/**
 * One round: customers the gateway was asked to make, and whose answer was lost, are asked for again with
 * the same key, which tells their id and makes no second one. Who has none yet keeps it; otherwise the
 * gateway is told to forget it, so that no address stays there that nobody here knows of. At most ten.
 *
 * Keys are forgotten after a day: then the second call makes one more, which is deleted or kept just so,
 * and the first, if it was ever made, stays. That takes a gateway that is away for a day; I7 tells of it.
 */
export async function findLostCustomers(deps: FindDeps): Promise<Round> {
  const nowMs = deps.clock.now();
  const due = await claimDueCustomerRequests(deps.database.db, {
    now: new Date(nowMs),
    leaseUntil: new Date(nowMs + LEASE_MS),
    most: BATCH,
  });
  for (const request of due) await findOne(deps, request);
  return due.length === BATCH ? 'again' : 'idle';
}

async function findOne(deps: FindDeps, request: CustomerRequest): Promise<void> {
  const { database, gateway } = deps;
  const { workspace_id: workspaceId, key, email } = request;
  const made = await gateway.createCustomer({ key, email, workspaceId });
  if (made.kind !== 'done') return tryLater(deps, request, made);
  const { customerId } = made;
  const isKept = await database.transaction((tx) => adoptCustomer(tx, workspaceId, customerId));
  if (!isKept) {
    const gone = await gateway.deleteCustomer({ customerId });
    if (gone.kind !== 'done') return tryLater(deps, request, gone);
  }
  await endCustomerRequest(database.db, request);
}

async function tryLater(
  { clock, database, log }: FindDeps,
  request: CustomerRequest,
  failure: Exclude<GatewayOutcome<object>, { kind: 'done' }>,
): Promise<void> {
  const reason = failure.kind === 'declined' ? failure.code : failure.reason;
  log.error('lost gateway customer not found', { workspaceId: request.workspace_id, reason });
  const nowMs = clock.now();
  const pastMs = nowMs - request.asked_at.getTime();
  const delayMs = Math.min(TRY_AGAIN_LATEST_MS, Math.max(TRY_AGAIN_SOONEST_MS, pastMs));
  await askAgainLater(database.db, request, new Date(nowMs + delayMs));
}
