import { DAY_MS } from '#shared/domain/durations.ts';
import { sql, type Updateable } from 'kysely';
import {
  type Alert,
  ALERT_DAYS,
  ALERT_LIMIT,
  type AlertMute,
  budgetAlert,
  declinedAlert,
  endedEarlyAlert,
  isTold,
  newestAlertFirst,
  unreadableAlert,
} from '#shared/domain/accounts/alert.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import type { Person } from '#shared/domain/people/may.ts';
import { type OrderReason, reasonSentence } from '#shared/domain/delivery/order-reasons.ts';
import { claimDue, type Lease, RAISE_FENCE } from '#server/kit/db/claim-due.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import { type InWorkspace, grantsOf, OWN_ROW } from '#server/kit/db/people.ts';
import type { AlertChoiceTable } from '#server/kit/db/tables/alert-choice.table.ts';

/** Somebody who may be told of alerts, with what they have chosen. */
export interface Hearer extends Person {
  mutes: readonly AlertMute[];
  readUntilMs: number;
  timeZone: string;
  /** Undefined: no mail is wanted. */
  mailHour: number | undefined;
  mailedOn: string | null;
  mailedUntilMs: number;
}

/** Undefined when they are no member any more, or have never chosen anything. */
export async function findHearer(
  db: Db,
  { workspaceId, userId }: InWorkspace,
): Promise<Hearer | undefined> {
  const { rows } = await sql<{
    role: Person['role'];
    all_clients: boolean;
    grants: Person['grants'] | null;
    mutes: AlertMute[];
    read_until: Date | null;
    time_zone: string;
    mail_hour: number | null;
    mailed_on: string | null;
    mailed_until: Date | null;
  }>`
    select m.role, m.all_clients, ${grantsOf('m')} as grants,
      c.mutes, c.read_until, u.time_zone, c.mail_hour, c.mailed_on, c.mailed_until
    from membership m
    ${OWN_ROW}
    join alert_choice c on c.workspace_id = m.workspace_id and c.user_id = m.user_id
    where m.workspace_id = ${workspaceId} and m.user_id = ${userId}`.execute(db);
  const [row] = rows;
  return (
    row && {
      role: row.role,
      allClients: row.all_clients,
      grants: row.grants ?? undefined,
      mutes: row.mutes,
      readUntilMs: row.read_until?.getTime() ?? 0,
      timeZone: row.time_zone,
      mailHour: row.mail_hour ?? undefined,
      mailedOn: row.mailed_on,
      mailedUntilMs: row.mailed_until?.getTime() ?? 0,
    }
  );
}

/** The right to close somebody's day; an older fence has been overtaken. */
export interface DigestClaim extends InWorkspace {
  fence: number;
}

/** Those whose hour has come. */
export function claimDigests(db: Db, lease: Lease): Promise<DigestClaim[]> {
  return claimDue(
    db,
    { ...lease, table: 'alert_choice', due: 'mail_at', set: RAISE_FENCE },
    sql<DigestClaim>`t.workspace_id as "workspaceId", t.user_id as "userId", t.fence`,
  );
}

/**
 * Closes a claimed day: says when somebody is mailed next, and until when they have been told.
 * @returns false: another worker has the claim, or another hour was chosen meanwhile
 */
export async function scheduleDigest(
  tx: Tx,
  { workspaceId, userId, fence }: DigestClaim,
  hour: number,
  change: Pick<Updateable<AlertChoiceTable>, 'mail_at' | 'mailed_on' | 'mailed_until'>,
): Promise<boolean> {
  const closed = await tx
    .updateTable('alert_choice')
    .set(change)
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('fence', '=', fence)
    .where('mail_hour', '=', hour)
    .returning('user_id')
    .executeTakeFirst();
  return closed !== undefined;
}

/** What somebody is told of at a moment, newest first: the same as their replica shows. */
export async function listAlerts(
  db: Db,
  workspaceId: WorkspaceId,
  hearer: Pick<Hearer, 'role' | 'allClients' | 'grants' | 'mutes'>,
  now: Date,
): Promise<Alert[]> {
  const found = await Promise.all([
    listOfAccounts(db, workspaceId),
    listEndedEarly(db, workspaceId, hearer, now),
    listBudgets(db, workspaceId, now),
  ]);
  return found
    .flat()
    .filter((alert) => isTold(hearer, hearer.mutes, alert))
    .sort(newestAlertFirst);
}

/** What a mail tells of, in milliseconds since the epoch. */
export interface Span {
  fromMs: number;
  untilMs: number;
}

/** What a mail says: what began in its time and wasn't read, and what has lasted since before. */
export async function readDigest(
  db: Db,
  workspaceId: WorkspaceId,
  hearer: Hearer,
  { fromMs, untilMs }: Span,
): Promise<{ fresh: Alert[]; lasting: Alert[] }> {
  const all = await listAlerts(db, workspaceId, hearer, new Date(untilMs));
  return {
    fresh: all.filter(({ atMs }) => atMs > fromMs && atMs <= untilMs && atMs > hearer.readUntilMs),
    lasting: all.filter(({ kind, atMs }) => atMs <= fromMs && kind !== 'order_ended_early'),
  };
}

/** The account of a row, as `ACCOUNT` selects it. */
interface OfAccount {
  igUsername: string;
  client: { id: string; name: string } | null;
}
const ACCOUNT = sql`a.ig_username as "igUsername",
  (select jsonb_build_object('id', k.id, 'name', k.name) from client k
    where k.workspace_id = a.workspace_id and k.id = a.client_id) as client`;

async function listOfAccounts(db: Db, workspaceId: WorkspaceId): Promise<Alert[]> {
  const { rows } = await sql<OfAccount & { igId: string; since: Date; isDeclined: boolean }>`
    select ${ACCOUNT}, coalesce(a.ig_id, '') as "igId", a.unreadable_since as since, false as "isDeclined"
      from account a
      where a.workspace_id = ${workspaceId} and a.problem = 'unreadable' and a.unreadable_since is not null
        and a.removed_at is null
    union all
    select ${ACCOUNT}, coalesce(a.ig_id, ''), s.past_due_since, true
      from subscription s join account a on a.workspace_id = s.workspace_id and a.id = s.account_id
      where s.workspace_id = ${workspaceId} and s.state = 'Past due' and a.removed_at is null`.execute(
    db,
  );
  return rows.map(({ since, isDeclined, ...account }) => {
    const of = { ...account, sinceMs: since.getTime() };
    return isDeclined ? declinedAlert(of) : unreadableAlert(of);
  });
}

async function listEndedEarly(
  db: Db,
  workspaceId: WorkspaceId,
  { allClients, grants = {} }: Pick<Person, 'allClients' | 'grants'>,
  now: Date,
): Promise<Alert[]> {
  const from = new Date(now.getTime() - ALERT_DAYS * DAY_MS);
  const seen = allClients ? sql`` : sql`and a.client_id = any(${Object.keys(grants)}::uuid[])`;
  const { rows } = await sql<
    OfAccount & {
      id: string;
      postId: string;
      finishedAt: Date;
      delivered: number;
      target: number;
      reason: OrderReason | null;
    }
  >`
    select ${ACCOUNT}, o.id, o.post_id as "postId", o.finished_at as "finishedAt", o.delivered,
        o.ordered + o.bonus as target, o.reason
      from like_order o join account a on a.workspace_id = o.workspace_id and a.id = o.account_id
      where o.workspace_id = ${workspaceId} and o.state in ('Partial', 'Canceled')
        and o.finished_at > ${from} and o.reason is distinct from 'stopped' and a.removed_at is null
        ${seen}
      order by o.finished_at desc limit ${ALERT_LIMIT}`.execute(db);
  return rows.map(({ igUsername, client, finishedAt, reason, ...order }) =>
    endedEarlyAlert(
      { igUsername, client },
      {
        ...order,
        finishedMs: finishedAt.getTime(),
        reason: reason === null ? null : reasonSentence(reason),
      },
    ),
  );
}

async function listBudgets(db: Db, workspaceId: WorkspaceId, now: Date): Promise<Alert[]> {
  const { rows } = await sql<
    Pick<Alert, 'igUsername' | 'client'> & {
      id: string;
      limitCents: number;
      month: string;
      reachedAt: Date;
    }
  >`
    select a.ig_username as "igUsername",
        case when k.id is not null then jsonb_build_object('id', k.id, 'name', k.name) end as client,
        b.id, b.limit_cents as "limitCents", to_char(n.month, 'YYYY-MM') as month,
        n.at as "reachedAt"
      from budget b join budget_notice n on n.workspace_id = b.workspace_id and n.budget_id = b.id
      left join account a on a.workspace_id = b.workspace_id and a.id = b.account_id
      left join client k on k.workspace_id = b.workspace_id and k.id = coalesce(b.client_id, a.client_id)
      where b.workspace_id = ${workspaceId} and n.percent = 100 and n.limit_cents >= b.limit_cents
        and n.until > ${now} and a.removed_at is null`.execute(db);
  return rows.map(({ igUsername, client, reachedAt, ...budget }) =>
    budgetAlert({ igUsername, client }, { ...budget, reachedMs: reachedAt.getTime() }),
  );
}
