import { DAY_MS, HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { dayOf } from '#shared/domain/money/day-use.ts';
import type { GatewayDispute, GatewayRefund } from '#server/adapters/stripe/card-gateway.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { DISPUTE_STATES } from '#server/kit/db/tables/charge.table.ts';
import { applyDispute } from './apply-dispute.service.ts';
import { bookGatewayRefund, listUnbookedRefunds } from './book-gateway-refund.service.ts';
import {
  claimReading,
  endReading,
  findOldestUndecided,
  listDisputeStates,
} from './dispute.repository.ts';

export type ReadGatewayDeps = Pick<
  Deps,
  'clock' | 'database' | 'gateway' | 'ids' | 'log' | 'settings'
>;

const EVERY_MS = MINUTE_MS;
/** Longer than a reading takes; one that takes longer is done twice, to the same end. */
const LEASE_MS = 5 * MINUTE_MS;
/**
 * So much is read again each time: a charge whose answer was lost is known as paid within a day, and clocks
 * differ.
 */
const READ_AGAIN_MS = 48 * HOUR_MS;

/** A bank can refuse a refund weeks after it was made; the gateway lists it by when it was made. */
const REFUNDS_FAIL_WITHIN_MS = 60 * DAY_MS;

/** Reads what is new at the gateway, unless another node has done so in the last minute. */
export async function readGatewayWhenDue(deps: ReadGatewayDeps): Promise<void> {
  const now = new Date(deps.clock.now());
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const claim = await claimReading(deps.database.db, { now, leaseUntil });
  if (!claim) return;
  const isNewDay = dayOf(claim.readUntil.getTime(), 'UTC') < dayOf(now.getTime(), 'UTC');
  const isRead = await readGateway(deps, claim.readUntil, isNewDay);
  if (!isRead) return;
  const nextReadAt = new Date(deps.clock.now() + EVERY_MS);
  await endReading(deps.database.db, { readUntil: now, nextReadAt });
}

/**
 * Hears of disputes, and of refunds made at the gateway itself, since a moment before `readUntil`. Each is
 * applied in a transaction of its own and only once, so that reading the same again changes nothing.
 * @param isDeep refunds are read again as far back as they can still fail
 * @returns whether all of it could be read and applied
 */
export async function readGateway(
  deps: ReadGatewayDeps,
  readUntil: Date,
  isDeep = false,
): Promise<boolean> {
  const { db } = deps.database;
  const since = new Date(Math.max(0, readUntil.getTime() - READ_AGAIN_MS));
  const oldest = await findOldestUndecided(db);
  const disputesSince = oldest && oldest < since ? oldest : since;
  // Refunds first: a bank can only call back what is left.
  const refundsSince = isDeep ? new Date(since.getTime() - REFUNDS_FAIL_WITHIN_MS) : since;
  const isRefundsRead = await readRefunds(deps, refundsSince);
  const isDisputesRead = await readDisputes(deps, disputesSince);
  return isRefundsRead && isDisputesRead;
}

async function readRefunds(deps: ReadGatewayDeps, since: Date): Promise<boolean> {
  let after: string | undefined;
  let isDone = true;
  do {
    const page = await deps.gateway.listRefunds({ since, ...(after !== undefined && { after }) });
    if (page.kind === 'unknown') return unread(deps, 'refunds', page.reason);
    for (const refund of await listUnbookedRefunds(deps.database.db, page.refunds)) {
      isDone = (await attempt(deps, refund, () => bookGatewayRefund(deps, refund))) && isDone;
    }
    ({ after } = page);
  } while (after !== undefined);
  return isDone;
}

async function readDisputes(deps: ReadGatewayDeps, since: Date): Promise<boolean> {
  let after: string | undefined;
  let isDone = true;
  do {
    const page = await deps.gateway.listDisputes({ since, ...(after !== undefined && { after }) });
    if (page.kind === 'unknown') return unread(deps, 'disputes', page.reason);
    for (const dispute of await listNews(deps.database.db, page.disputes)) {
      isDone = (await attempt(deps, dispute, () => applyDispute(deps, dispute))) && isDone;
    }
    ({ after } = page);
  } while (after !== undefined);
  return isDone;
}

/** Those that have gone on since they were heard of. */
async function listNews(db: Db, disputes: readonly GatewayDispute[]): Promise<GatewayDispute[]> {
  const known = await listDisputeStates(
    db,
    disputes.map(({ disputeId }) => disputeId),
  );
  const rank = (state: GatewayDispute['state'] | undefined): number =>
    state === undefined ? -1 : DISPUTE_STATES.indexOf(state);
  return disputes.filter(({ disputeId, state }) => rank(state) > rank(known.get(disputeId)));
}

/** One that can't be applied must not keep the others back; it is read again the next time. */
async function attempt(
  { log }: ReadGatewayDeps,
  { gatewayChargeId }: GatewayDispute | GatewayRefund,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    log.error('gateway news not applied', { reason: gatewayChargeId, error });
    return false;
  }
}

function unread({ log }: ReadGatewayDeps, what: 'disputes' | 'refunds', reason: string): false {
  log.warn(`gateway ${what} not read`, { reason });
  return false;
}
