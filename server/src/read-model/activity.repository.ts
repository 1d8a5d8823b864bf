import { sql } from 'kysely';
import type { BulkChange } from '#shared/contract/accounts/bulk.ts';
import type { BulkKind } from '#shared/domain/accounts/bulk.ts';
import type { DeliveryChange } from '#shared/domain/delivery/delivery-change.ts';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db } from '#server/kit/db/database.ts';
import { personName } from '#server/kit/db/people.ts';
import type { AuditAction, AuditDetail } from '#server/audit/audit.repository.ts';

/** What isn't an id is a name of nothing that is looked up. */
const idIn = (column: string) =>
  sql`case when ${sql.ref(column)} ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${sql.ref(column)}::uuid end`;
const subjectId = idIn('e.subject');
const actorId = idIn('e.actor');

export interface EntryRow {
  seq: number;
  at: Date;
  actor: string;
  action: AuditAction;
  subject: string | null;
  accountId: AccountId | null;
  igUsername: string | null;
  /** Of the person that it was done by and to; null: their account is deleted. */
  actorName: string | null;
  personName: string | null;
  clientName: string | null;
  /** Outside, while reports go to it. */
  address: string | null;
  /** Who was invited. */
  invitedEmail: string | null;
  /** What it was changed to; null: that isn't kept. */
  detail: AuditDetail | null;
  /** Of the clients among that, their names. */
  detailClients: string[];
  /** Of the payment. */
  amountCents: number | null;
}

export interface Wanted {
  workspaceId: WorkspaceId;
  actions: readonly AuditAction[];
  before: number | null;
  actor: string | null;
  igUsername: string | null;
  clientId: string | null;
  /** Only what was done to accounts of these clients; null: to any account, or to none. */
  clients: readonly string[] | null;
  /** Only what was done to accounts. */
  onlyAccounts: boolean;
  from: Date | null;
  until: Date | null;
  limit: number;
}

/**
 * The entries of a workspace, the newest first. What is part of an operation on many accounts isn't one of its own:
 * the operation is, where it has done something to an account that is looked for.
 */
export async function listEntries(db: Db, wanted: Wanted): Promise<EntryRow[]> {
  const { workspaceId, clientId, clients, igUsername, onlyAccounts } = wanted;
  const looksForAccounts =
    onlyAccounts || clients !== null || clientId !== null || igUsername !== null;
  const isWanted = sql`(${clients === null} or a.client_id::text = any(${clients ?? []}::text[]))
    and (${clientId}::uuid is null or a.client_id = ${clientId})
    and (${igUsername}::text is null or a.ig_username = ${igUsername})`;
  const { rows } = await sql<EntryRow>`
    select e.seq::int as seq, e.at, e.actor, e.action, e.subject, e.account_id as "accountId",
      (select ig_username from account where workspace_id = e.workspace_id and id = e.account_id) as "igUsername",
      ${personName('e.actor_id')} as "actorName",
      ${personName('e.subject_id')} as "personName",
      (select name from client where workspace_id = e.workspace_id and id = e.subject_id) as "clientName",
      (select email from report_address where workspace_id = e.workspace_id and id = e.subject_id) as address,
      (select email from invitation where workspace_id = e.workspace_id and id = e.subject_id) as "invitedEmail",
      e.detail::json as detail, array(select c.name from client c
        where e.action = 'grants_changed' and c.workspace_id = e.workspace_id
          and e.detail::jsonb->'clients' ? c.id::text order by c.name) as "detailClients",
      (select amount_cents from charge where workspace_id = e.workspace_id and id = e.subject_id) as "amountCents"
    from (select e.*, ${subjectId} as subject_id, ${actorId} as actor_id from audit_event e
      where e.workspace_id = ${workspaceId} and e.operation_id is null
        and e.action = any(${wanted.actions}::text[])
        and (${wanted.before}::bigint is null or e.seq < ${wanted.before})
        and (${wanted.actor}::text is null or e.actor = ${wanted.actor})
        and (${wanted.from}::timestamptz is null or e.at >= ${wanted.from})
        and (${wanted.until}::timestamptz is null or e.at < ${wanted.until})
        and (not ${looksForAccounts}
          or exists (select from account a where a.workspace_id = e.workspace_id and a.id = e.account_id and ${isWanted})
          or (${clientId}::text is not null and e.subject = ${clientId}::text and not ${onlyAccounts})
          or (e.action = 'bulk_started' and exists (select from bulk_item i
            join account a on a.workspace_id = i.workspace_id and a.id = i.account_id
            where i.workspace_id = e.workspace_id and i.operation_id = ${subjectId}
              and i.outcome in ('waiting', 'done', 'failed') and ${isWanted}
              and (not ${onlyAccounts} or i.change->>'kind' <> 'client'))))
      order by e.seq desc limit ${wanted.limit}) e
    order by e.seq desc`.execute(db);
  return rows;
}

/** What an operation has done of one kind; of plans from one to another. */
export interface DoneRow {
  operationId: string;
  isUndo: boolean;
  isRunning: boolean;
  kind: BulkChange['kind'] | null;
  fromPlan: number | null;
  toPlan: number | null;
  /** Of clients from one to another, their names; empty: no client, null: gone, or it isn't about clients. */
  fromClient: string | null;
  toClient: string | null;
  /** Of delivery settings, what they were changed to. */
  settings: DeliveryChange | null;
  /** All that the operation was asked to do, for who sees all accounts. */
  asked: number;
  askedKinds: BulkKind[];
  /** Of those, what somebody stopped while it waited. */
  stopped: number;
  /** What an undo took back. */
  undoneKinds: BulkKind[];
  done: number;
  monthCents: number;
}

/** The client a change names, by the name it has now. */
const clientNamed = (change: 'i.undo' | 'i.change') => {
  const id = sql`${sql.ref(change)}->>'clientId'`;
  return sql`case when ${sql.ref(change)} is null then null when ${id} is null then ''
    else (select c.name from client c where c.workspace_id = i.workspace_id and c.id = (${id})::uuid) end`;
};

/** What operations have done, to accounts of these clients or to all; those without a row are no longer kept. */
export async function listDone(
  db: Db,
  {
    workspaceId,
    operations,
    clients,
    seesAll,
  }: {
    workspaceId: WorkspaceId;
    operations: readonly string[];
    clients: readonly string[] | null;
    seesAll: boolean;
  },
): Promise<DoneRow[]> {
  const { rows } = await sql<DoneRow>`
    select o.id as "operationId", o.undo_of is not null as "isUndo", o.state = 'running' as "isRunning",
      i.change->>'kind' as kind,
      case when i.change->>'kind' = 'plan' then (i.seen::jsonb->>2)::int end as "fromPlan",
      (i.change->>'packageIndex')::int as "toPlan",
      case when i.change->>'kind' = 'client' then ${clientNamed('i.undo')} end as "fromClient",
      case when i.change->>'kind' = 'client' then ${clientNamed('i.change')} end as "toClient",
      case when i.change->>'kind' = 'delivery' then i.change->'settings' end as settings,
      asked.count as asked, asked.kinds as "askedKinds", asked.stopped, undone.kinds as "undoneKinds",
      count(i.position)::int as done, coalesce(sum(i.month_cents), 0)::int as "monthCents"
    from bulk_operation o
      cross join lateral (
        select count(*)::int as count, coalesce(array_agg(distinct t.change->>'kind'), '{}') as kinds,
          count(*) filter (where t.outcome = 'failed' and t.code = 'stopped')::int as stopped
        from bulk_item t where t.workspace_id = o.workspace_id and t.operation_id = o.id
          and ${clients === null} and (${seesAll} or t.change->>'kind' <> 'client')) asked
      cross join lateral (
        select coalesce(array_agg(distinct t.change->>'kind'), '{}') as kinds
        from bulk_item t where t.workspace_id = o.workspace_id and t.operation_id = o.undo_of
          and t.undo is not null and (${seesAll} or t.change->>'kind' <> 'client')
          and (${clients === null} or exists (select from account a where a.workspace_id = t.workspace_id
            and a.id = t.account_id and a.client_id::text = any(${clients ?? []}::text[])))) undone
      left join (bulk_item i join account a on a.workspace_id = i.workspace_id and a.id = i.account_id)
        on i.workspace_id = o.workspace_id and i.operation_id = o.id and i.outcome = 'done'
          and (${seesAll} or i.change->>'kind' <> 'client')
          and (${clients === null} or a.client_id::text = any(${clients ?? []}::text[]))
    where o.workspace_id = ${workspaceId} and o.id = any(${operations}::uuid[])
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    order by 1, done desc, 4, 5, 6, 7, 8`.execute(db);
  return rows;
}

/** What somebody proposed: all of it, for who sees all accounts. */
export interface ProposedRow {
  operationId: string;
  kinds: BulkKind[];
  count: number;
  todayCents: number;
  /** Why it was refused. */
  refusal: string | null;
}

export async function listProposed(
  db: Db,
  workspaceId: WorkspaceId,
  operations: readonly string[],
): Promise<ProposedRow[]> {
  const { rows } = await sql<ProposedRow>`
    select o.id as "operationId", o.refusal, array_agg(distinct i.change->>'kind') as kinds,
      count(*)::int as count, sum(i.today_cents)::int as "todayCents"
    from bulk_operation o join bulk_item i on i.workspace_id = o.workspace_id and i.operation_id = o.id
    where o.workspace_id = ${workspaceId} and o.id = any(${operations}::uuid[])
    group by o.id, o.refusal`.execute(db);
  return rows;
}
