import { sql } from 'kysely';
import { claimingDue, RAISE_FENCE } from '#server/kit/db/claim-due.ts';
import { UNENDED_STATES } from '#shared/domain/money/subscription-state.ts';
import type { IgId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { AccountKey } from './account.repository.ts';

/** A poll that this worker, and no other, is to take. */
export interface ClaimedPoll extends AccountKey {
  igUsername: string;
  fence: number;
  fingerprint: string | null;
  failures: number;
  /** When it had become due; a poll given back keeps this place in the queue. */
  dueAt: Date;
}

/** What a poll leaves on its row. Ignored where the row's fence is no longer the poll's. */
export interface SettledPoll extends AccountKey {
  fence: number;
  fingerprint: string | null;
  failures: number;
  /** undefined: as scheduled when it was claimed. */
  nextPollAt: Date | undefined;
}

/**
 * Polls an account from now on: due at once, and its next poll stores everything it sees. Its
 * history is read in the background, also when it was polled before: posts of the time between are
 * missing.
 */
export async function startPolling(
  tx: Tx,
  schedule: AccountKey & { igUsername: string; now: Date },
): Promise<void> {
  const due = {
    ig_username: schedule.igUsername,
    is_active: true,
    next_poll_at: schedule.now,
    fingerprint: null,
    failures: 0,
    next_import_at: schedule.now,
  };
  await tx
    .insertInto('poll_schedule')
    .values({
      workspace_id: schedule.workspaceId,
      account_id: schedule.accountId,
      fence: 0,
      ...due,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'account_id'])
        // A rising fence makes polls that are under way come to nothing.
        .doUpdateSet((eb) => ({ ...due, fence: eb('poll_schedule.fence', '+', 1) })),
    )
    .execute();
}

/**
 * Polls an account nobody pays for until the network has answered once: nothing was known of it when it
 * was connected. Its history isn't read.
 */
export async function pollUntilRead(
  tx: Tx,
  { workspaceId, accountId, igUsername, now }: AccountKey & { igUsername: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('poll_schedule')
    .values({
      workspace_id: workspaceId,
      account_id: accountId,
      ig_username: igUsername,
      is_active: true,
      next_poll_at: now,
      fingerprint: null,
      next_import_at: null,
    })
    .execute();
}

/**
 * Lets go of those accounts nobody pays for: the network has answered. A plan that begins at this moment
 * raises the fence.
 */
export async function stopPollingUnpaid(
  db: Db,
  polls: ReadonlyArray<AccountKey & { fence: number }>,
): Promise<void> {
  if (polls.length === 0) return;
  const named = polls.map(({ workspaceId, accountId, fence }) => ({
    workspaceId,
    accountId,
    fence,
  }));
  await sql`
    update poll_schedule ps set is_active = false
    from jsonb_to_recordset(${JSON.stringify(named)}::text::jsonb)
      as s("workspaceId" uuid, "accountId" uuid, fence bigint)
    where ps.workspace_id = s."workspaceId" and ps.account_id = s."accountId" and ps.fence = s.fence
      and not exists (select from subscription p where p.workspace_id = ps.workspace_id
        and p.account_id = ps.account_id and p.state in (${sql.join(UNENDED_STATES)}))
  `.execute(db);
}

/** Polls a known account from now on, as `startPolling` does. */
export async function pollAgain(tx: Tx, key: AccountKey & { now: Date }): Promise<void> {
  await tx
    .updateTable('poll_schedule')
    .set((eb) => ({
      is_active: true,
      next_poll_at: key.now,
      fingerprint: null,
      failures: 0,
      next_import_at: key.now,
      fence: eb('fence', '+', 1),
    }))
    .where('workspace_id', '=', key.workspaceId)
    .where('account_id', '=', key.accountId)
    .execute();
}

export async function stopPolling(tx: Tx, key: AccountKey): Promise<void> {
  await tx
    .updateTable('poll_schedule')
    .set((eb) => ({ is_active: false, fence: eb('fence', '+', 1) }))
    .where('workspace_id', '=', key.workspaceId)
    .where('account_id', '=', key.accountId)
    .execute();
}

type ClaimedValues = [string, string, string, number, string | null, number, number];

/**
 * Due polls, those waiting longest first; their next ones are scheduled. One JSON text is read faster than
 * 500 rows: together with `claimingDue` 21 instead of 27 us of CPU per poll on the embedded database (measured).
 */
export async function claimDuePolls(
  db: Db,
  { nextPollAt, ...claim }: { now: Date; nextPollAt: Date; limit: number },
): Promise<ClaimedPoll[]> {
  const claiming = claimingDue(
    {
      ...claim,
      table: 'poll_schedule',
      due: 'next_poll_at',
      leaseUntil: nextPollAt,
      where: sql`t.is_active`,
      set: RAISE_FENCE,
    },
    sql`t.workspace_id, t.account_id, t.ig_username, t.fence, t.fingerprint, t.failures,
      extract(epoch from due."dueAt") * 1000 as due_at_ms`,
  );
  const { rows } = await sql<{ polls: string | null }>`${claiming}
    select json_agg(json_build_array(workspace_id, account_id, ig_username, fence, fingerprint, failures,
      due_at_ms) order by due_at_ms)::text as polls
    from claimed
  `.execute(db);
  const polls = JSON.parse(rows[0]?.polls ?? '[]') as ClaimedValues[];
  return polls.map(toClaimedPoll);
}

function toClaimedPoll(values: ClaimedValues): ClaimedPoll {
  const [workspaceId, accountId, igUsername, fence, fingerprint, failures, dueAtMs] = values;
  const dueAt = new Date(dueAtMs);
  return { workspaceId, accountId, igUsername, fence, fingerprint, failures, dueAt };
}

/** Puts claimed polls back, all in one statement. */
export async function settlePolls(db: Db, polls: readonly SettledPoll[]): Promise<void> {
  if (polls.length === 0) return;
  await sql`
    update poll_schedule ps
    set fingerprint = s."fingerprint", failures = s."failures",
      next_poll_at = coalesce(s."nextPollAt", ps.next_poll_at)
    from jsonb_to_recordset(${JSON.stringify(polls)}::text::jsonb) as s(
      "workspaceId" uuid, "accountId" uuid, fence bigint, fingerprint text, failures smallint,
      "nextPollAt" timestamptz)
    where ps.workspace_id = s."workspaceId" and ps.account_id = s."accountId" and ps.fence = s.fence
  `.execute(db);
}

/** Gives claimed polls back that were not taken: they are due again, in their old place. */
export async function giveBackPolls(db: Db, polls: readonly ClaimedPoll[]): Promise<void> {
  if (polls.length === 0) return;
  const values = polls.map(({ workspaceId, accountId, fence, dueAt }) => ({
    workspaceId,
    accountId,
    fence,
    dueAt,
  }));
  await sql`
    update poll_schedule ps set next_poll_at = s."dueAt"
    from jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb) as s(
      "workspaceId" uuid, "accountId" uuid, fence bigint, "dueAt" timestamptz)
    where ps.workspace_id = s."workspaceId" and ps.account_id = s."accountId" and ps.fence = s.fence
  `.execute(db);
}

/** How many accounts share the polls. */
export async function countPolled(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('poll_schedule')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('is_active', '=', true)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Tells the accounts that have waited since `overdueSince` that the network throttles us. Their next
 * poll stores, and so clears, it (no fingerprint).
 */
export async function markThrottled(db: Db, overdueSince: Date): Promise<void> {
  await sql`
    with waiting as (
      update poll_schedule set fingerprint = null
      where is_active and next_poll_at < ${overdueSince} and fingerprint is not null
      returning workspace_id, account_id
    )
    update account a set problem = 'throttled' from waiting
    where a.workspace_id = waiting.workspace_id and a.id = waiting.account_id
      and a.problem is null
  `.execute(db);
}

/** An account whose poll is stored, held until the end of the transaction. */
export interface LockedSchedule extends AccountKey {
  fence: number;
  igId: IgId | null;
  connectedAt: Date;
  isImported: boolean;
  isPaid: boolean;
}

/** Locks those schedules whose fence is still the poll's; the others have been overtaken. */
export async function lockSchedules(
  tx: Tx,
  polls: ReadonlyArray<AccountKey & { fence: number }>,
): Promise<LockedSchedule[]> {
  const keys = polls.map(({ workspaceId, accountId, fence }) => ({
    workspaceId,
    accountId,
    fence,
  }));
  const { rows } = await sql<LockedSchedule>`
    select ps.workspace_id as "workspaceId", ps.account_id as "accountId", ps.fence,
      a.ig_id as "igId", a.created_at as "connectedAt", a.imported_at is not null as "isImported",
      exists (select from subscription p where p.workspace_id = ps.workspace_id
        and p.account_id = ps.account_id and p.state in (${sql.join(UNENDED_STATES)})) as "isPaid"
    from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb)
      as s("workspaceId" uuid, "accountId" uuid, fence bigint)
    join poll_schedule ps
      on ps.workspace_id = s."workspaceId" and ps.account_id = s."accountId" and ps.fence = s.fence
    join account a on a.workspace_id = ps.workspace_id and a.id = ps.account_id
    where ps.is_active
    order by ps.workspace_id, ps.account_id
    for update of ps
  `.execute(tx);
  return rows;
}
