import type { WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { usesByAddress } from '#server/identity/limits/address-limit.ts';
import {
  limit,
  limitAll,
  LIMITS,
  refuseWhileFull,
  takeBackLimit,
  usesLeft,
} from '#server/identity/limits/rate-limit.ts';
import { findShare } from '../allowance/paying.repository.ts';
import type { Share } from '../allowance/allowance-share.ts';
import {
  type AccountReading,
  READ_POSTS,
  readNetworkAccount,
} from '../allowance/network-reader.ts';
import {
  type ProfileReading,
  readProfile,
  findRememberedProfile,
} from '../allowance/profile-reading.ts';
import { accountUnreadable } from './account-refusals.ts';

export type ReadAccount = Extract<AccountReading, { kind: 'read' }>;
export type ReadProfile = Extract<ProfileReading, { kind: 'read' }>;
type LookUpDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'network' | 'random' | 'settings'>;

/** Who names an account, and which. */
export interface LookUp {
  workspaceId: WorkspaceId;
  /** Of the client; undefined where only who pays can ask, or where it was counted before. */
  address?: string | undefined;
  igUsername: string;
  /** By `countLookUpOfMany`. */
  isCounted?: boolean;
}

/**
 * Asks the network for an account because a customer named it; counted as a look-up of the workspace.
 * @throws ApiError `rate_limited`, and the three outcomes of D6: `account_unreadable`,
 * `network_throttled`, `network_unreachable`
 */
export async function lookUpAccount(deps: LookUpDeps, lookUp: LookUp): Promise<ReadAccount> {
  const { workspaceId, igUsername } = lookUp;
  await limit(deps, { ...LIMITS.lookUp, key: workspaceId });
  return asRead(
    igUsername,
    await readCounted(deps, lookUp, (share) =>
      readNetworkAccount(deps, { username: igUsername, limit: READ_POSTS.page, share }),
    ),
  );
}

/**
 * The same without posts. What was read in the last minute answers a repeat, so "Look up" and "Add" right
 * after it are one reading.
 * @throws ApiError as `lookUpAccount`
 */
export async function lookUpProfile(deps: LookUpDeps, lookUp: LookUp): Promise<ReadProfile> {
  const { workspaceId, igUsername, isCounted = false } = lookUp;
  if (!isCounted) await limit(deps, { ...LIMITS.lookUp, key: workspaceId });
  const reading =
    (await findRememberedProfile(deps, igUsername)) ??
    (await readCounted(deps, lookUp, (share) => readProfile(deps, { igUsername, share })));
  return asRead(igUsername, reading);
}

/** What nobody paid for is bounded by day; what the network didn't answer isn't counted. */
export async function readCounted<Reading extends { kind: ProfileReading['kind'] }>(
  deps: LookUpDeps,
  { workspaceId, address }: Omit<LookUp, 'igUsername'>,
  ask: (share: Share) => Promise<Reading>,
): Promise<Reading> {
  const share = await findShare(deps.database.db, workspaceId);
  const counted = share === 'unpaid' ? unpaidLimits(workspaceId, address) : [];
  await limitAll(deps, counted);
  const reading = await ask(share);
  if (reading.kind === 'throttled' || reading.kind === 'unreachable') {
    for (const use of counted) await takeBackLimit(deps, use);
  }
  return reading;
}

/** Of the look-ups that a workspace has in a minute so many are kept for people, and so many for changes of many accounts. */
const KEPT = 10;

/**
 * Counts what is read for a change of many accounts. Where people have looked up so much that none is left of what they
 * share, it has its own few.
 * @throws ApiError `rate_limited`: not in this minute
 */
export async function countLookUpOfMany(
  deps: Pick<Deps, 'clock' | 'settings'> & { database: Pick<Deps['database'], 'db'> },
  workspaceId: WorkspaceId,
): Promise<void> {
  const shared = { ...LIMITS.lookUp, key: workspaceId };
  const ofMany = { ...LIMITS.lookUpOfMany, key: workspaceId };
  const isFull = (await usesLeft(deps, shared)) <= KEPT;
  await refuseWhileFull(deps, { ...ofMany, uses: isFull ? KEPT : ofMany.uses });
  await limit(deps, ofMany);
  if (!isFull) await limit(deps, shared);
}

/**
 * Counts what will be looked up when the address of whoever asked for it isn't known any more.
 * @throws ApiError `rate_limited`
 */
export async function countLookUpsAhead(
  deps: Pick<Deps, 'clock' | 'settings'> & { database: Pick<Deps['database'], 'db'> },
  { workspaceId, address, count }: Omit<LookUp, 'igUsername'> & { count: number },
): Promise<void> {
  if (address === undefined || count === 0) return;
  if ((await findShare(deps.database.db, workspaceId)) !== 'unpaid') return;
  const uses = limitsOfAddress(address);
  for (let nr = 0; nr < count; nr += 1) await limitAll(deps, uses);
}

function unpaidLimits(workspaceId: WorkspaceId, address: string | undefined) {
  const byWorkspace = {
    ...LIMITS.unpaidLookUp,
    key: workspaceId,
    sentence: (wait: string) =>
      `Before your first payment you can look up ${LIMITS.unpaidLookUp.uses} accounts a day. Please try again in ${wait}, or choose a plan for an account you’ve connected.`,
  };
  return address === undefined ? [byWorkspace] : [byWorkspace, ...limitsOfAddress(address)];
}

function limitsOfAddress(address: string) {
  const sentence = (wait: string) =>
    `Too many accounts were looked up from your network today. Please try again in ${wait}, or choose a plan for an account you’ve connected.`;
  const byAddress = usesByAddress(LIMITS.lookUpAddress, address);
  return byAddress.map((use) => ({ ...use, sentence }));
}

/**
 * @param note a sentence that is said before "Please try again"
 * @throws ApiError for whatever isn't a reading
 */
export function asRead<Reading extends { kind: 'read' }>(
  igUsername: string,
  reading: Reading | Exclude<ProfileReading, { kind: 'read' }>,
  note = '',
): Reading {
  switch (reading.kind) {
    case 'read':
      return reading;
    case 'unreadable':
      throw accountUnreadable(igUsername);
    case 'throttled':
      throw new ApiError(
        'network_throttled',
        `Instagram is limiting our requests right now. ${note}Please try again shortly.`,
        { retryAfterMs: reading.retryAfterMs },
      );
    case 'unreachable':
      break;
  }
  throw new ApiError(
    'network_unreachable',
    `Instagram isn’t responding right now. ${note}Please try again shortly.`,
  );
}
