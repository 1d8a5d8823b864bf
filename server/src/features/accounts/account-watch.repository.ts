import { sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';

export interface WatchKey {
  workspaceId: string;
  accountId: string;
}

/** A look that this worker, and no other, is to take. */
export interface ClaimedLook extends WatchKey {
  igUsername: string;
  fence: number;
  digest: string | null;
  failures: number;
  /** When it had become due; a look given back keeps this place in the queue. */
  dueAt: Date;
}

/** What a look leaves on its row. Ignored where the row's fence is no longer the look's. */
export interface SettledLook extends WatchKey {
  fence: number;
  digest: string | null;
  failures: number;
  /** undefined: as scheduled when it was claimed. */
  nextLookAt: Date | undefined;
}

/**
 * Looks at an account from now on: due at once, and its next look stores everything it sees. Its
 * history is read in the background (again: nobody looked while it wasn't watched).
 */
export async function startWatching(
  tx: Tx,
  watch: WatchKey & { igUsername: string; now: Date },
): Promise<void> {
  const due = {
    ig_username: watch.igUsername,
    is_active: true,
    next_look_at: watch.now,
    digest: null,
    failures: 0,
    next_import_at: watch.now,
  };
  await tx
    .insertInto('account_watch')
    .values({ workspace_id: watch.workspaceId, account_id: watch.accountId, fence: 0, ...due })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'account_id'])
        // A rising fence makes looks that are under way come to nothing.
        .doUpdateSet((eb) => ({ ...due, fence: eb('account_watch.fence', '+', 1) })),
    )
    .execute();
}

/**
 * Looks at an account nobody pays for until the network has answered once: nothing was known of it when it
 * was connected. Its history isn't read.
 */
export async function watchUntilRead(
  tx: Tx,
  { workspaceId, accountId, igUsername, now }: WatchKey & { igUsername: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('account_watch')
    .values({
      workspace_id: workspaceId,
      account_id: accountId,
      ig_username: igUsername,
      is_active: true,
      next_look_at: now,
      digest: null,
      next_import_at: null,
    })
    .execute();
}

/**
 * Lets go of those accounts nobody pays for: the network has answered. A plan that begins at this moment
 * raises the fence.
 */
export async function stopWatchingUnpaid(
  db: Db,
  looks: ReadonlyArray<WatchKey & { fence: number }>,
): Promise<void> {
  if (looks.length === 0) return;
  const named = looks.map(({ workspaceId, accountId, fence }) => ({
    workspaceId,
    accountId,
    fence,
  }));
  await sql`
    update account_watch w set is_active = false
    from jsonb_to_recordset(${JSON.stringify(named)}::text::jsonb)
      as s("workspaceId" uuid, "accountId" uuid, fence bigint)
    where w.workspace_id = s."workspaceId" and w.account_id = s."accountId" and w.fence = s.fence
      and not exists (select from subscription p where p.workspace_id = w.workspace_id
        and p.account_id = w.account_id and p.state in ('Active', 'Paused', 'Past due'))
  `.execute(db);
}

/** Looks at a known account from now on, as `startWatching` does. */
export async function watchAgain(tx: Tx, key: WatchKey & { now: Date }): Promise<void> {
  await tx
    .updateTable('account_watch')
    .set((eb) => ({
      is_active: true,
      next_look_at: key.now,
      digest: null,
      failures: 0,
      next_import_at: key.now,
      fence: eb('fence', '+', 1),
    }))
    .where('workspace_id', '=', key.workspaceId)
    .where('account_id', '=', key.accountId)
    .execute();
}

export async function stopWatching(tx: Tx, key: WatchKey): Promise<void> {
  await tx
    .updateTable('account_watch')
    .set((eb) => ({ is_active: false, fence: eb('fence', '+', 1) }))
    .where('workspace_id', '=', key.workspaceId)
    .where('account_id', '=', key.accountId)
    .execute();
}

type ClaimedValues = [string, string, string, number, string | null, number, number];

/**
 * Takes up to `limit` due looks, those waiting longest first, and schedules their next ones, in one
 * statement. Rows another worker is claiming at this moment are passed over.
 *
 * A locked row stays where it is, so it is updated by its place; and one JSON text is read faster than
 * 500 rows. Together 21 instead of 27 us of CPU per look on the embedded database (measured).
 */
export async function claimDueLooks(
  db: Db,
  claim: { now: Date; nextLookAt: Date; limit: number },
): Promise<ClaimedLook[]> {
  const { rows } = await sql<{ looks: string | null }>`
    with due as (
      select ctid, next_look_at from account_watch
      where is_active and next_look_at <= ${claim.now}
      order by next_look_at
      limit ${claim.limit}
      for update skip locked
    ), claimed as (
      update account_watch w
      set next_look_at = ${claim.nextLookAt}, fence = w.fence + 1
      from due
      where w.ctid = due.ctid
      returning w.workspace_id, w.account_id, w.ig_username, w.fence, w.digest, w.failures,
        extract(epoch from due.next_look_at) * 1000 as due_at_ms
    )
    select json_agg(json_build_array(workspace_id, account_id, ig_username, fence, digest, failures,
      due_at_ms) order by due_at_ms)::text as looks
    from claimed
  `.execute(db);
  const looks = JSON.parse(rows[0]?.looks ?? '[]') as ClaimedValues[];
  return looks.map(toClaimedLook);
}

function toClaimedLook(values: ClaimedValues): ClaimedLook {
  const [workspaceId, accountId, igUsername, fence, digest, failures, dueAtMs] = values;
  const dueAt = new Date(dueAtMs);
  return { workspaceId, accountId, igUsername, fence, digest, failures, dueAt };
}

/** Puts claimed looks back, all in one statement. */
export async function settleLooks(db: Db, looks: readonly SettledLook[]): Promise<void> {
  if (looks.length === 0) return;
  await sql`
    update account_watch w
    set digest = s."digest", failures = s."failures",
      next_look_at = coalesce(s."nextLookAt", w.next_look_at)
    from jsonb_to_recordset(${JSON.stringify(looks)}::text::jsonb) as s(
      "workspaceId" uuid, "accountId" uuid, fence bigint, digest text, failures smallint,
      "nextLookAt" timestamptz)
    where w.workspace_id = s."workspaceId" and w.account_id = s."accountId" and w.fence = s.fence
  `.execute(db);
}

/** Gives claimed looks back that were not taken: they are due again, in their old place. */
export async function giveBackLooks(db: Db, looks: readonly ClaimedLook[]): Promise<void> {
  if (looks.length === 0) return;
  const values = looks.map(({ workspaceId, accountId, fence, dueAt }) => ({
    workspaceId,
    accountId,
    fence,
    dueAt,
  }));
  await sql`
    update account_watch w set next_look_at = s."dueAt"
    from jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb) as s(
      "workspaceId" uuid, "accountId" uuid, fence bigint, "dueAt" timestamptz)
    where w.workspace_id = s."workspaceId" and w.account_id = s."accountId" and w.fence = s.fence
  `.execute(db);
}

/** How many accounts share the looks. */
export async function countWatched(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('account_watch')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Tells the accounts that have waited since `overdueSince` that the network throttles us. Their next
 * look stores, and so clears, it (no digest).
 */
export async function markThrottled(db: Db, overdueSince: Date): Promise<void> {
  await sql`
    with waiting as (
      update account_watch set digest = null
      where is_active and next_look_at < ${overdueSince} and digest is not null
      returning workspace_id, account_id
    )
    update account a set problem = 'throttled' from waiting
    where a.workspace_id = waiting.workspace_id and a.id = waiting.account_id
      and a.problem is null
  `.execute(db);
}

/** An account whose look is stored, held until the end of the transaction. */
export interface LockedWatch extends WatchKey {
  fence: number;
  igId: string | null;
  connectedAt: Date;
  isImported: boolean;
  isPaid: boolean;
}

/** Locks those watches whose fence is still the look's; the others have been overtaken. */
export async function lockWatches(
  tx: Tx,
  looks: ReadonlyArray<WatchKey & { fence: number }>,
): Promise<LockedWatch[]> {
  const keys = looks.map(({ workspaceId, accountId, fence }) => ({
    workspaceId,
    accountId,
    fence,
  }));
  const { rows } = await sql<LockedWatch>`
    select w.workspace_id as "workspaceId", w.account_id as "accountId", w.fence,
      a.ig_id as "igId", a.created_at as "connectedAt", a.imported_at is not null as "isImported",
      exists (select from subscription p where p.workspace_id = w.workspace_id
        and p.account_id = w.account_id and p.state in ('Active', 'Paused', 'Past due')) as "isPaid"
    from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb)
      as s("workspaceId" uuid, "accountId" uuid, fence bigint)
    join account_watch w
      on w.workspace_id = s."workspaceId" and w.account_id = s."accountId" and w.fence = s.fence
    join account a on a.workspace_id = w.workspace_id and a.id = w.account_id
    where w.is_active
    order by w.workspace_id, w.account_id
    for update of w
  `.execute(tx);
  return rows;
}
