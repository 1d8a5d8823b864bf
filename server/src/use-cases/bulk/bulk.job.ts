import { bulkAction } from '#shared/domain/accounts/bulk.ts';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import type { ErrorCode } from '#shared/contract/error-code.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { backoffMs } from '#server/kit/async/backoff.ts';
import { leaseOf } from '#server/kit/db/claim-due.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop, type Round } from '#server/kit/jobs/loop.ts';
import { asPartOf } from '#server/audit/operation.ts';
import { insertMail } from '#server/mail/owed-mail.repository.ts';
import { LIMITS } from '#server/identity/limits/rate-limit.ts';
import { getMemberWhoMay } from '#server/identity/members/members.service.ts';
import { type Applied, applyChange } from './apply-change.service.ts';
import { DECLINES_LIMIT, resumePayment } from './pay-item.ts';
import { expiredBefore, expireProposals } from './proposals.service.ts';
import { claimItems, endFinished, type ItemClaim, listStatesWithWork } from './bulk.repository.ts';
import { beginItem, isRevoked, settleItem } from './claimed-items.repository.ts';
import { stopRevoked } from './running-bulk.service.ts';

const IDLE_MS = 1000;
/** Changes that a worker takes at a time. */
export const BULK_BATCH = 10;
/** Longer than ten charges of a batch take, three side by side. */
const LEASE_MS = 240_000;
const OPEN_AGAIN = { firstMs: 5000, longestMs: 10 * MINUTE_MS };
/** Between five and six hours: while one change waits, the workspace can't begin others. */
const TRIES_LIMIT = 40;
/** So long a change waits for its turn, however often it was tried. */
const WAIT_LIMIT_MS = HOUR_MS;

/** Makes the changes of running operations, an account at a time each. */
export function createBulkJob(deps: Deps): Job {
  const roundRobin: RoundRobin = {};
  return createLoop(deps, {
    name: 'bulk',
    idleMs: IDLE_MS,
    round: () => runBulk(deps, roundRobin),
  });
}

/** The workspace served last; lost with its process, which only costs somebody a round. */
interface RoundRobin {
  after?: WorkspaceId | undefined;
}

/** One round: the changes of running operations, then the proposals whose time is over. */
export async function runBulk(deps: Deps, roundRobin: RoundRobin = {}): Promise<Round> {
  const before = expiredBefore(new Date(deps.clock.now()));
  const states = await listStatesWithWork(deps.database.db, before);
  const round = states.includes('running') ? await runItems(deps, roundRobin) : 'idle';
  if (states.includes('proposed')) await expireProposals(deps);
  return round;
}

/**
 * At most ten changes side by side, those of an operation that charge at most three.
 *
 *   waiting ──claimed──> leased ──┬─ made ─────────────> done
 *       ^                  │      ├─ refused ──────────> failed, with its reason
 *       │                  │      └─ worker died: waiting again when its lease is over
 *       └── payment open, no look-up left, or our fault; after the 40th time, once an hour has passed, it is
 *           failed: what a payment comes to shows on its own; stopped by somebody: failed, where it wasn’t begun (`stopItems`)
 */
async function runItems(deps: Deps, roundRobin: RoundRobin): Promise<Round> {
  const lease = leaseOf(deps.clock, { leaseMs: LEASE_MS, limit: BULK_BATCH });
  const items = await claimItems(deps.database.db, { ...lease, after: roundRobin.after });
  roundRobin.after = lastOf(items, roundRobin.after);
  await Promise.all(
    lanesOf(items).map(async (lane) => {
      for (const beside of lane) await Promise.all(beside.map((item) => runOrLog(deps, item)));
    }),
  );
  await endAndTell(deps);
  return items.length === BULK_BATCH ? 'again' : 'idle';
}

/** Ends what has nothing to do any more, each with one mail. */
async function endAndTell({ clock, database, ids }: Deps): Promise<void> {
  await database.transaction(async (tx) => {
    const now = new Date(clock.now());
    for (const { workspaceId, operationId } of await endFinished(tx, now)) {
      const payload = { kind: 'bulk_done', operationId } as const;
      await insertMail(tx, { workspaceId, id: ids.uuid(), payload, now });
    }
  });
}

/** The workspace served last, in the order in which they were claimed. */
function lastOf(items: readonly ItemClaim[], after: WorkspaceId | undefined) {
  const all = items.map(({ workspace_id: id }) => id).toSorted();
  return all.findLast((id) => after !== undefined && id <= after) ?? all.at(-1) ?? after;
}

/**
 * What can be done side by side: of those of an operation that charge only so many as may be declined one after the
 * other, so that a card that was declined by them isn't asked by the next.
 */
function lanesOf(items: readonly ItemClaim[]): ItemClaim[][][] {
  const free = items.filter(({ today_cents: cents }) => cents === 0);
  const paid = items.filter(({ today_cents: cents }) => cents > 0);
  const lanes = Map.groupBy(paid, ({ operation_id: id }) => id);
  return [[free], ...Array.from(lanes.values(), (lane) => chunksOf(lane, DECLINES_LIMIT))];
}

const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, nr) =>
    all.slice(nr * size, (nr + 1) * size),
  );

async function runOrLog(deps: Deps, item: ItemClaim): Promise<void> {
  await runItem(deps, item).catch((error: unknown) => {
    deps.log.error('bulk change not stored', { reason: item.operation_id, error });
  });
}

async function runItem(deps: Deps, item: ItemClaim): Promise<void> {
  const { db } = deps.database;
  const { workspace_id: workspaceId, operation_id: operationId } = item;
  if (!item.begun && (await isRevoked(db, item))) {
    await stopRevoked(deps, { workspaceId, operationId });
  }
  // It was claimed with others, and stopped while they were made.
  if (!(await beginItem(db, item))) return;
  const outcome = await asPartOf(item.operation_id, () => attempt(deps, item));
  const now = new Date(deps.clock.now());
  const hasTime = now.getTime() - item.startedAt.getTime() < WAIT_LIMIT_MS;
  if (outcome.kind === 'open' && (item.fence < TRIES_LIMIT || hasTime)) {
    const { code, retryAfterMs } = outcome.error;
    const paceMs = code === 'rate_limited' ? retryAfterMs : undefined;
    const waitMs = paceMs ?? backoffMs(item.fence, OPEN_AGAIN);
    const begun = !UNDONE.has(code);
    return settleItem(db, item, { code, begun, due_at: new Date(now.getTime() + waitMs) });
  }
  const ended = { due_at: null, ended_at: now };
  if (outcome.kind !== 'done') {
    const { code, message: reason } = outcome.error;
    return settleItem(db, item, { ...ended, outcome: 'failed', code, reason });
  }
  const { chargedCents: charged_cents, undo, leftAs: left_as, accountId } = outcome;
  const made = { charged_cents, undo, left_as, ...(accountId && { account_id: accountId }) };
  return settleItem(db, item, { ...ended, outcome: 'done', ...made });
}

/** Somebody is at this very charge, which the next poll tells of; or all that may be asked of the network was asked. */
const WAITS: ReadonlySet<ErrorCode> = new Set(['payment_unknown', 'network_throttled']);

/** Why a change is deferred before anything of it was done. */
const UNDONE: ReadonlySet<ErrorCode> = new Set(['rate_limited', 'network_throttled']);

async function attempt(
  deps: Deps,
  item: ItemClaim,
): Promise<Applied | { kind: 'failed'; error: ApiError }> {
  try {
    const paid = await resumePayment(deps, item);
    if (paid) return paid;
    const person = { workspaceId: item.workspace_id, userId: item.startedBy };
    await getMemberWhoMay(deps.database.db, person, bulkAction(item.change.kind));
    return await applyChange(deps, item);
  } catch (error) {
    if (!(error instanceof ApiError)) return ownFault(deps, item, error);
    const isOpen = WAITS.has(error.code) || isPaced(item, error);
    return { kind: isOpen ? 'open' : 'failed', error };
  }
}

/** As many accounts were read as may be in a minute: the others wait for the next one. */
const isPaced = ({ change }: ItemClaim, { code, retryAfterMs = Infinity }: ApiError): boolean =>
  (change.kind === 'add' || change.kind === 'begin') &&
  code === 'rate_limited' &&
  retryAfterMs <= LIMITS.lookUp.perMs;

function ownFault({ log }: Deps, item: ItemClaim, cause: unknown): Applied {
  log.error('bulk change failed', { reason: item.operation_id, error: cause });
  const message = 'Something went wrong on our side. Please check this account, and try again.';
  return { kind: 'open', error: new ApiError('internal', message, { cause }) };
}
