import { sql } from 'kysely';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { NetworkAccount } from '#server/adapters/graph/social-network.ts';
import type { AccountTable } from '#server/kit/db/tables/account.table.ts';
import type { ProfileReading } from '../allowance/profile-reading.ts';
import type { SettledPoll } from './poll-schedule.repository.ts';

type StoredReading =
  | 'stored'
  /** The name now belongs to another network account, or this one is connected under another name. */
  | 'other_account';

interface Stored {
  column: keyof AccountTable;
  type: 'text' | 'integer';
  /** A reading without it leaves what was known. */
  isKept?: true;
}

/** Where each part of a reading is stored; null: nowhere. */
const STORED = {
  igId: { column: 'ig_id', type: 'text' },
  profilePictureUrl: { column: 'profile_picture_url', type: 'text', isKept: true },
  followers: { column: 'followers', type: 'integer' },
  username: null,
  name: null,
  biography: null,
  mediaCount: null,
} as const satisfies Record<keyof NetworkAccount, Stored | null>;

const PARTS = Object.entries<Stored | null>(STORED).flatMap(([name, stored]) =>
  stored === null
    ? []
    : [
        {
          key: name as keyof NetworkAccount,
          part: sql.ref(`s.${name}`),
          name: sql.id(name),
          ...stored,
        },
      ],
);
const ASSIGNED = PARTS.map(({ column, part, isKept }) =>
  isKept
    ? sql`${sql.id(column)} = coalesce(${part}, ${sql.ref(`a.${column}`)})`
    : sql`${sql.id(column)} = ${part}`,
);
/** What the network has told of an account, by column; it goes with its customer. */
export const TOLD_COLUMNS: readonly string[] = PARTS.map(({ column }) => column);
const TYPED = PARTS.map(({ name, type }) => sql`${name} ${sql.raw(type)}`);

/**
 * Writes what a reading says of the account itself: network id, picture, followers, when it was read,
 * and the problem, which a successful reading clears. A reading of another network account than the
 * connected one changes nothing but the problem.
 */
export async function storeAccountReading(
  db: Db,
  change: { workspaceId: WorkspaceId; accountId: AccountId; reading: ProfileReading; now: Date },
): Promise<StoredReading> {
  const { workspaceId, accountId, reading, now } = change;
  if (reading.kind !== 'read') {
    await setProblem(db, { workspaceId, accountId, problem: reading.kind, now });
    return 'stored';
  }
  const { account, readAt } = reading;
  const stored = await storeAccountReadings(db, [{ workspaceId, accountId, account, readAt }]);
  if (stored.has(accountId)) return 'stored';
  await setProblem(db, { workspaceId, accountId, problem: 'unreadable', now });
  return 'other_account';
}

export async function setProblem(
  db: Db,
  change: {
    workspaceId: WorkspaceId;
    accountId: AccountId;
    problem: 'unreadable' | 'throttled' | 'unreachable';
    now: Date;
  },
): Promise<void> {
  await db
    .updateTable('account')
    .set((eb) => ({
      problem: change.problem,
      ...(change.problem === 'unreadable' && {
        unreadable_since: eb.fn.coalesce('unreadable_since', eb.val(change.now)),
      }),
    }))
    .where('workspace_id', '=', change.workspaceId)
    .where('id', '=', change.accountId)
    .where((eb) => eb('problem', 'is distinct from', change.problem))
    .execute();
}

/** Writes many successful readings in one statement; returns the ids of the accounts they fitted. */
export async function storeAccountReadings(
  db: Db,
  readings: ReadonlyArray<{
    workspaceId: WorkspaceId;
    accountId: AccountId;
    account: NetworkAccount;
    readAt: Date;
  }>,
): Promise<Set<string>> {
  const values = readings.map(({ workspaceId, accountId, account, readAt }) => ({
    // What isn't stored isn't sent: a character that the database refuses would fail the whole batch.
    ...Object.fromEntries(PARTS.map(({ key }) => [key, account[key]])),
    workspaceId,
    accountId,
    readAt,
  }));
  const { rows } = await sql<{ id: string }>`
    update account a
    set ${sql.join(ASSIGNED)}, last_read_at = s."readAt", problem = null, unreadable_since = null
    from jsonb_to_recordset(${JSON.stringify(values)}::text::jsonb) as s(
      "workspaceId" uuid, "accountId" uuid, "readAt" timestamptz, ${sql.join(TYPED)})
    where a.workspace_id = s."workspaceId" and a.id = s."accountId"
      and (a.ig_id = s."igId" or a.ig_id is null and not exists (
        select from account other
        where other.workspace_id = a.workspace_id and other.ig_id = s."igId"))
    returning a.id
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Only polls that haven't been overtaken speak, and passing trouble doesn't hide a lasting one. */
export async function showProblems(
  db: Db,
  problems: ReadonlyArray<SettledPoll & { problem: 'unreadable' | 'unreachable' }>,
  now: Date,
): Promise<void> {
  if (problems.length === 0) return;
  // Held, because a rename may be raising the fence: without, the old one counts while this waits for it.
  await sql`
    with held as materialized (
      select ps.workspace_id, ps.account_id, s.problem
      from jsonb_to_recordset(${JSON.stringify(problems)}::text::jsonb) as s(
        "workspaceId" uuid, "accountId" uuid, fence bigint, problem text)
      join poll_schedule ps
        on ps.workspace_id = s."workspaceId" and ps.account_id = s."accountId" and ps.fence = s.fence
      order by ps.workspace_id, ps.account_id
      for no key update of ps
    )
    update account a set problem = held.problem, unreadable_since = case held.problem
        when 'unreadable' then coalesce(a.unreadable_since, ${now}) else a.unreadable_since end
      from held
    where a.workspace_id = held.workspace_id and a.id = held.account_id
      and a.problem is distinct from held.problem
      and (held.problem = 'unreadable' or a.problem is null or a.problem = 'throttled')
  `.execute(db);
}
