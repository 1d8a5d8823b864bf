import { DAY_MS } from '#shared/domain/durations.ts';
import { type Selectable, sql } from 'kysely';
import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { OwnershipProofTable } from '#server/kit/db/tables/ownership.table.ts';

export type ProofRow = Selectable<OwnershipProofTable>;

export interface ProofKey {
  workspaceId: WorkspaceId;
  igId: IgId;
}

/** The proof that runs; the first question, and one after its end, begins another. */
export async function openProof(
  db: Db,
  { workspaceId, igId }: ProofKey,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<ProofRow> {
  const begun = { asked_at: now, expires_at: expiresAt, proved_at: null };
  await db
    .insertInto('ownership_proof')
    .values({ workspace_id: workspaceId, ig_id: igId, ...begun })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'ig_id'])
        .doUpdateSet(begun)
        .where('ownership_proof.expires_at', '<=', now),
    )
    .execute();
  return db
    .selectFrom('ownership_proof')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('ig_id', '=', igId)
    .executeTakeFirstOrThrow();
}

export async function markProved(
  tx: Tx,
  { workspaceId, igId }: ProofKey,
  { now, expiresAt }: { now: Date; expiresAt: Date },
): Promise<void> {
  await tx
    .updateTable('ownership_proof')
    .set({ proved_at: now, expires_at: expiresAt })
    .where('workspace_id', '=', workspaceId)
    .where('ig_id', '=', igId)
    .execute();
}

export async function hasProof(
  db: Db,
  { workspaceId, igId }: ProofKey,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('ownership_proof')
    .select('ig_id')
    .where('workspace_id', '=', workspaceId)
    .where('ig_id', '=', igId)
    .where('proved_at', 'is not', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row !== undefined;
}

/** A proof counts once. */
export async function deleteProof(tx: Tx, { workspaceId, igId }: ProofKey): Promise<void> {
  await tx
    .deleteFrom('ownership_proof')
    .where('workspace_id', '=', workspaceId)
    .where('ig_id', '=', igId)
    .execute();
}

export async function deleteOldProofs(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('ownership_proof').where('expires_at', '<=', now).execute();
}

/** Two who both can write the profile's text don't take it from each other all the time. */
const OWNER_STAYS_MS = 180 * DAY_MS;

interface OwnershipClaim {
  /** Keyed hash of the network's id. */
  accountHash: string;
  workspaceId: WorkspaceId;
  now: Date;
}

const othersBefore = (now: Date) => new Date(now.getTime() - OWNER_STAYS_MS);

/** Whether somebody else has shown so lately that a network account is theirs that it stays theirs. */
export async function isOwnedByOthers(
  db: Db,
  { accountHash, workspaceId, now }: OwnershipClaim,
): Promise<boolean> {
  const row = await db
    .selectFrom('network_owner')
    .select('account_hash')
    .where('account_hash', '=', accountHash)
    .where('workspace_id', '<>', workspaceId)
    .where('proved_at', '>', othersBefore(now))
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Writes down who has shown that a network account is theirs; false when it stays somebody else's. One
 * statement: of two who show it at once one is the first.
 */
export async function claimOwnership(
  tx: Tx,
  { accountHash, workspaceId, now }: OwnershipClaim,
): Promise<boolean> {
  const { rows } = await sql`
    insert into network_owner as o (account_hash, workspace_id, proved_at)
    values (${accountHash}, ${workspaceId}, ${now})
    on conflict (account_hash) do update set workspace_id = excluded.workspace_id, proved_at = ${now}
      where o.workspace_id = excluded.workspace_id or o.proved_at <= ${othersBefore(now)}
    returning 1
  `.execute(tx);
  return rows.length > 0;
}
