import { DAY_MS } from '#shared/domain/durations.ts';
import { createHmac } from 'node:crypto';
import type {
  lookUpAccount as lookUpCall,
  Ownership,
} from '#shared/contract/accounts/account-changes.ts';
import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import {
  type AccountRow,
  findAccountByIgId,
  getAccountByUsername,
} from '#server/network/accounts/account.repository.ts';
import { accountUnreadable } from '#server/network/accounts/account-refusals.ts';
import { asRead, type LookUp, lookUpProfile } from '#server/network/accounts/look-up-account.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { findShare } from '#server/network/allowance/paying.repository.ts';
import { isOnlyWaiting } from '#server/money/subscriptions/network-account.ts';
import { findReservation } from '#server/money/subscriptions/subscription.repository.ts';
import { READ_POSTS, readNetworkAccount } from '#server/network/allowance/network-reader.ts';
import { showOrganic } from '#server/network/posts/organic-right.repository.ts';
import { isRefundRightUsedByOthers } from '#server/money/subscriptions/refund-right.repository.ts';
import {
  markProved,
  openProof,
  type ProofKey,
  type ProofRow,
} from '#server/network/accounts/ownership.repository.ts';
import type { CallData } from '#shared/contract/call.ts';

/*
 * Whose an account is (D6). It is asked only where two want the same account, or where its one money back
 * was taken by somebody else:
 *   asked    a code for (workspace, network account); stable until it expires
 *   proved   the code was found in the profile's text
 *   counted  a checkout was paid with it: the other plan is displaced, the money back free again. Once.
 */

/** From the question, and again from the proof to its checkout. */
const PROOF_LIVES_MS = 3 * DAY_MS;
/** No 0, 1, I or O: the code is copied by eye, too. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';
const CODE_LETTERS = 10;

type OwnershipDeps = Pick<Deps, 'clock' | 'database' | 'log' | 'network' | 'random' | 'settings'>;

interface OwnershipAsker {
  workspaceId: WorkspaceId;
  userId: string;
  igUsername: string;
}

/** What stands in the way of this workspace's plan for a network account. */
export async function findOwnershipStatus(
  deps: Pick<Deps, 'database' | 'settings'>,
  workspaceId: WorkspaceId,
  igId: IgId,
): Promise<Ownership['standing']> {
  const { db } = deps.database;
  const holder = await findReservation(db, igId);
  const isTaken = holder && holder.workspace_id !== workspaceId;
  if (isTaken && !(await isOnlyWaiting(db, holder))) return 'proof_needed';
  const isUsed = await isRefundRightUsedByOthers(db, deps, { workspaceId, igId });
  return isUsed ? 'money_back_used' : 'free';
}

/** @throws ApiError `not_found` */
export async function viewOwnership(
  deps: OwnershipDeps,
  { workspaceId, igUsername }: OwnershipAsker,
): Promise<Ownership> {
  const account = await getAccountByUsername(deps.database.db, workspaceId, igUsername);
  return ownershipOf(deps, account);
}

async function ownershipOf(deps: OwnershipDeps, account: AccountRow): Promise<Ownership> {
  const { workspace_id: workspaceId, ig_id: igId } = account;
  const status = igId === null ? 'free' : await findOwnershipStatus(deps, workspaceId, igId);
  if (igId === null || status === 'free') {
    return { standing: 'free', code: null, expiresAt: null, isProved: false };
  }
  return toOwnership(deps, status, await askProof(deps, { workspaceId, igId }));
}

/**
 * Reads the profile's text anew and looks for the code.
 * @throws ApiError `not_found`, `wrong_code`, `rate_limited`, `account_unreadable`, `network_throttled`,
 * `network_unreachable`
 */
export async function proveOwnership(
  deps: OwnershipDeps,
  asker: OwnershipAsker,
): Promise<Ownership> {
  const { workspaceId, userId, igUsername } = asker;
  const row = await getAccountByUsername(deps.database.db, workspaceId, igUsername);
  const known = await ownershipOf(deps, row);
  const { id: accountId, ig_id: igId } = row;
  if (igId === null || known.code === null || known.isProved) return known;
  await limit(deps, { ...LIMITS.ownershipCheck, key: `${workspaceId}:${igId}` });
  const share = await findShare(deps.database.db, workspaceId);
  const { account } = asRead(
    igUsername,
    await readNetworkAccount(deps, { username: igUsername, limit: READ_POSTS.profile, share }),
  );
  if (account.igId !== igId) throw accountUnreadable(igUsername);
  if (!account.biography.toUpperCase().includes(known.code)) throw codeMissing(igUsername);
  const now = new Date(deps.clock.now());
  const expiresAt = new Date(now.getTime() + PROOF_LIVES_MS);
  await deps.database.transaction(async (tx) => {
    await showOrganic(tx, { workspaceId, igId });
    await markProved(tx, { workspaceId, igId }, { now, expiresAt });
    const action = 'account_proved';
    await appendAudit(tx, { workspaceId, actor: userId, action, subject: accountId, now });
  });
  return { ...known, expiresAt: expiresAt.toISOString(), isProved: true };
}

function askProof(deps: OwnershipDeps, key: ProofKey): Promise<ProofRow> {
  const now = new Date(deps.clock.now());
  const expiresAt = new Date(now.getTime() + PROOF_LIVES_MS);
  return openProof(deps.database.db, key, { now, expiresAt });
}

function toOwnership(
  deps: Pick<Deps, 'settings'>,
  status: Ownership['standing'],
  proof: ProofRow,
): Ownership {
  return {
    standing: status,
    code: codeOf(deps, proof),
    expiresAt: proof.expires_at.toISOString(),
    isProved: proof.proved_at !== null,
  };
}

/** Nobody can guess it, and nobody needs to keep it. */
function codeOf({ settings }: Pick<Deps, 'settings'>, proof: ProofRow): string {
  const digest = createHmac('sha256', settings.appSecret)
    .update(`ownership:${proof.workspace_id}:${proof.ig_id}:${proof.asked_at.getTime()}`)
    .digest();
  const letters = Array.from(digest.subarray(0, CODE_LETTERS), (byte) => LETTERS[byte % 32]);
  return `OV-${letters.join('')}`;
}

function codeMissing(igUsername: string): ApiError {
  return new ApiError(
    'wrong_code',
    `The code isn’t in @${igUsername}’s bio yet. Save the profile with the code in it, then check again.`,
  );
}

/**
 * Shows an account without connecting it: what the network says of it, and whether somebody else's plan
 * stands in the way, before anybody has typed a card.
 * @throws ApiError as `lookUpProfile`
 */
export async function showAccount(
  deps: Pick<Deps, 'clock' | 'database' | 'log' | 'network' | 'random' | 'settings'>,
  lookUp: LookUp,
): Promise<CallData<typeof lookUpCall>> {
  const { workspaceId, igUsername } = lookUp;
  const { account } = await lookUpProfile(deps, lookUp);
  const { igId, followers } = account;
  const known = await findAccountByIgId(deps.database.db, workspaceId, igId);
  const status = await findOwnershipStatus(deps, workspaceId, igId);
  return {
    igUsername: known?.ig_username ?? igUsername,
    igId,
    followers,
    isConnected: known !== undefined,
    standing: status,
  };
}
