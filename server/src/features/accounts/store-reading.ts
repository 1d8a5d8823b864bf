import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { NetworkAccount } from '../../adapters/graph/social-network.ts';
import type { ProfileReading } from '../detection/profile-reading.ts';

export type StoredReading =
  | 'stored'
  /** The name now belongs to another network account, or this one is connected under another name. */
  | 'other_account';

/**
 * Writes what a reading says of the account itself: network id, picture, followers, when it was read,
 * and the problem, which a successful reading clears. A reading of another network account than the
 * connected one changes nothing but the problem.
 */
export async function storeAccountReading(
  db: Db,
  change: { workspaceId: string; accountId: string; reading: ProfileReading },
): Promise<StoredReading> {
  const { workspaceId, accountId, reading } = change;
  if (reading.kind !== 'read') {
    await setProblem(db, { workspaceId, accountId, problem: reading.kind });
    return 'stored';
  }
  const { account, readAt } = reading;
  const stored = await storeAccountReadings(db, [{ workspaceId, accountId, account, readAt }]);
  if (stored.has(accountId)) return 'stored';
  await setProblem(db, { workspaceId, accountId, problem: 'unreadable' });
  return 'other_account';
}

export async function setProblem(
  db: Db,
  change: {
    workspaceId: string;
    accountId: string;
    problem: 'unreadable' | 'throttled' | 'unreachable';
  },
): Promise<void> {
  await db
    .updateTable('account')
    .set({ problem: change.problem })
    .where('workspace_id', '=', change.workspaceId)
    .where('id', '=', change.accountId)
    .where((eb) => eb('problem', 'is distinct from', change.problem))
    .execute();
}

/** Writes many successful readings in one statement; returns the ids of the accounts they fitted. */
export async function storeAccountReadings(
  db: Db,
  readings: ReadonlyArray<{
    workspaceId: string;
    accountId: string;
    account: NetworkAccount;
    readAt: Date;
  }>,
): Promise<Set<string>> {
  const values = readings.map(({ workspaceId, accountId, account, readAt }) => ({
    workspaceId,
    accountId,
    igId: account.igId,
    picture: account.profilePictureUrl ?? null,
    followers: account.followers,
    readAt,
  }));
  const { rows } = await sql<{ id: string }>`
    update account a
    set ig_id = s."igId", profile_picture_url = coalesce(s.picture, a.profile_picture_url),
      followers = s.followers, last_read_at = s."readAt", problem = null
    from jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb) as s(
      "workspaceId" uuid, "accountId" uuid, "igId" text, picture text, followers integer,
      "readAt" timestamptz)
    where a.workspace_id = s."workspaceId" and a.id = s."accountId"
      and (a.ig_id = s."igId" or a.ig_id is null and not exists (
        select from account other
        where other.workspace_id = a.workspace_id and other.ig_id = s."igId"))
    returning a.id
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}
