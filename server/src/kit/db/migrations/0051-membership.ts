import { type Kysely, sql } from 'kysely';

/*
 * A person's own rows (sessions, password, browsers) stay in the workspace they signed up with, their home, and
 * move with it; in which workspaces they act, home among them, is membership. Its id is the person in that
 * workspace on the wire and names their scope; of whom there was before it is their user's.
 */
const TABLES = `
create table membership (
  workspace_id uuid not null references workspace (id) on delete cascade,
  user_id uuid not null,
  id uuid not null,
  home_workspace_id uuid not null,
  role text not null check (role in ('Owner', 'Manager', 'Editor', 'Viewer')),
  all_clients boolean not null default true,
  spend_limit_cents integer check (spend_limit_cents >= 0),
  created_at timestamptz not null,
  primary key (workspace_id, user_id),
  constraint membership_of_workspace unique (workspace_id, id),
  constraint membership_of_person foreign key (home_workspace_id, user_id)
    references app_user (workspace_id, id) on update cascade on delete cascade
);

create index membership_by_person on membership (home_workspace_id, user_id);

insert into membership (workspace_id, user_id, id, home_workspace_id, role, created_at)
  select workspace_id, id, id, workspace_id, 'Owner', created_at from app_user;

create function own_workspace() returns trigger language plpgsql as $$
  begin
    insert into membership (workspace_id, user_id, id, home_workspace_id, role, created_at)
      values (new.workspace_id, new.id, new.id, new.workspace_id, 'Owner', new.created_at);
    return null;
  end $$;

create trigger own_workspace after insert on app_user for each row execute function own_workspace();

create table invitation (
  workspace_id uuid not null references workspace (id) on delete cascade,
  id uuid not null,
  email text not null,
  role text not null check (role in ('Owner', 'Manager', 'Editor', 'Viewer')),
  token_hash bytea not null,
  invited_by uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('accepted', 'withdrawn')),
  primary key (workspace_id, id),
  check ((ended_at is null) = (outcome is null))
);

create index invitation_by_token on invitation (token_hash);

create index invitation_old on invitation (expires_at);

create table member_charge (
  workspace_id uuid not null,
  charge_id uuid not null,
  user_id uuid not null,
  at timestamptz not null,
  primary key (workspace_id, charge_id),
  foreign key (workspace_id, charge_id) references charge (workspace_id, id) on delete cascade
);

create index member_charge_by_person on member_charge (workspace_id, user_id, at);

alter table session add column acting_workspace_id uuid;

alter table session drop constraint session_end_reason_check;

alter table session add constraint session_end_reason_check
  check (end_reason in ('signed_out', 'password_changed', 'membership_ended'));

alter table email_directory drop constraint email_directory_workspace_id_user_id_fkey,
  add constraint email_directory_workspace_id_user_id_fkey foreign key (workspace_id, user_id)
    references app_user (workspace_id, id) on update cascade on delete cascade;

alter table session drop constraint session_workspace_id_user_id_fkey,
  add constraint session_workspace_id_user_id_fkey foreign key (workspace_id, user_id)
    references app_user (workspace_id, id) on update cascade on delete cascade;

alter table known_browser drop constraint known_browser_workspace_id_user_id_fkey,
  add constraint known_browser_workspace_id_user_id_fkey foreign key (workspace_id, user_id)
    references app_user (workspace_id, id) on update cascade on delete cascade;

alter table push_subscription drop constraint push_subscription_workspace_id_session_id_fkey,
  add constraint push_subscription_workspace_id_session_id_fkey foreign key (workspace_id, session_id)
    references session (workspace_id, id) on update cascade on delete cascade;

alter table user_preference drop constraint user_preference_workspace_id_user_id_fkey,
  add constraint user_preference_workspace_id_user_id_fkey foreign key (workspace_id, user_id)
    references membership (workspace_id, user_id) on delete cascade;

alter table sync_client drop constraint sync_client_workspace_id_user_id_fkey,
  add constraint sync_client_workspace_id_user_id_fkey foreign key (workspace_id, user_id)
    references membership (workspace_id, user_id) on delete cascade`;

/** The rows of persons, each under their memberships, for rows that give these. */
const personsOf = (on: string): string => `
  select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
    from (select distinct ${on} from changed) c,
      lateral (select * from membership m where m.workspace_id = c.workspace_id offset 0) m`;

const ofMember = `
  lateral (select * from membership m
    where m.home_workspace_id = c.workspace_id and m.user_id = c`;

/** A name stands with its workspaces in the rows of all who are in them. */
const NAMED = `
  select sync_line(r.workspace_id, 'u:' || r.id, 'user', r.id::text, false)
    from changed c, ${ofMember}.id and m.role = 'Owner' offset 0) m,
      lateral (select * from membership t where t.workspace_id = m.workspace_id offset 0) t,
      lateral (select * from membership r
        where r.home_workspace_id = t.home_workspace_id and r.user_id = t.user_id offset 0) r
    where op = 'UPDATE' and (c.n).name is distinct from (c.o).name`;

interface Synced {
  table: string;
  key: readonly string[];
  seen: string;
  lines: string;
}

const columns = (...names: string[]): string => `(${names.map((name) => `@.${name}`).join(', ')})`;

/** Former functions by what they said of persons, and what they say now. */
const SYNCED: readonly Synced[] = [
  {
    table: 'app_user',
    key: ['id'],
    seen: columns('name', 'email', 'phone', 'package', 'time_zone', 'default_account_id'),
    lines: `
      select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
        from changed c, ${ofMember}.id offset 0) m
      union all ${NAMED}`,
  },
  {
    table: 'user_preference',
    key: ['user_id'],
    seen: columns('density', 'active_account_id', 'pinned_account_ids', 'likes_done_mail'),
    lines: `
      select sync_line(m.workspace_id, 'u:' || m.id, 'user', m.id::text, false)
        from changed c, lateral (select * from membership m
          where m.workspace_id = c.workspace_id and m.user_id = c.user_id offset 0) m`,
  },
  {
    table: 'session',
    key: ['id'],
    seen: columns('user_agent', 'expires_at', 'ended_at'),
    lines: `
      select sync_line(m.workspace_id, 'u:' || m.id, 'device', c.id::text,
        c.gone or (c.n).ended_at is not null)
        from changed c, ${ofMember}.user_id offset 0) m`,
  },
  {
    table: 'membership',
    key: ['user_id'],
    seen: columns('role', 'all_clients', 'spend_limit_cents', 'home_workspace_id'),
    lines: `
      select sync_line(workspace_id, 'u:' || id, 'user', id::text, gone) from changed where id is not null
      union all
      select sync_line(r.workspace_id, 'u:' || r.id, 'user', r.id::text, false)
        from changed c, lateral (select * from membership r
          where r.home_workspace_id = c.home_workspace_id and r.user_id = c.user_id offset 0) r
      union all
      select sync_line(r.workspace_id, 'u:' || r.id, 'user', r.id::text, false)
        from changed c, lateral (select * from membership t
          where t.workspace_id = c.workspace_id offset 0) t,
        lateral (select * from membership r
          where r.home_workspace_id = t.home_workspace_id and r.user_id = t.user_id offset 0) r`,
  },
];

/** As in the migration of the sync triggers. */
function functionOf({ table, key, seen, lines }: Synced): string {
  const seenOf = (row: string): string => seen.replaceAll('@', row);
  const same = ['workspace_id', ...key].map((name) => `o.${name} = n.${name}`).join(' and ');
  const touch = (changed: string): string => `
    with changed as materialized (${changed})
    select string_agg(line, '') into lines from (${lines}) x(line);`;
  const none = `null::${table}`;
  return `create or replace function sync_${table}() returns trigger language plpgsql as $$
      declare lines text;
      begin
        case tg_op
        when 'INSERT' then ${touch(`select n.*, n, ${none} as o, false as gone, 'INSERT' as op from new_rows n`)}
        when 'DELETE' then ${touch(`select o.*, ${none} as n, o, true as gone, 'DELETE' as op from old_rows o`)}
        when 'UPDATE' then ${touch(
          `select n.*, n, o, false as gone, 'UPDATE' as op from new_rows n full join old_rows o on ${same}
           where ${seenOf('n')} is distinct from ${seenOf('o')}`,
        )}
        end case;
        perform sync_touch(lines);
        return null;
      end $$`;
}

const seenOfMember = (row: string): string => (SYNCED.at(-1)?.seen ?? '').replaceAll('@', row);

const MEMBERSHIP_TRIGGERS = `
create trigger sync_insert after insert on membership referencing new table as new_rows
  for each statement execute function sync_membership();

create trigger sync_update after update on membership
  referencing old table as old_rows new table as new_rows
  for each statement execute function sync_membership();

create trigger sync_delete after delete on membership referencing old table as old_rows
  for each statement execute function sync_membership();

create constraint trigger sync_late after insert or delete on membership
  deferrable initially deferred for each row when (sync_mark()) execute function sync_flush_late();

create constraint trigger sync_late_update after update on membership
  deferrable initially deferred for each row
  when (${seenOfMember('old')} is distinct from ${seenOfMember('new')} and sync_mark())
  execute function sync_flush_late()`;

/** What changes the rows of persons besides: in each of these functions the lines about them are replaced. */
const ABOUT_PERSONS = ['subscription', 'credits_transaction', 'credit_balance'];
const FORMER = /select sync_line\(u\.workspace_id[\s\S]*?offset 0\) u/;

/** People of a workspace are its members, several of them, and each may be in several. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of TABLES.split(/;\n\n/)) await sql.raw(statement).execute(db);
  for (const synced of SYNCED) await sql.raw(functionOf(synced)).execute(db);
  for (const statement of MEMBERSHIP_TRIGGERS.split(/;\n\n/)) await sql.raw(statement).execute(db);
  for (const table of ABOUT_PERSONS) {
    const { rows } = await sql<{ text: string }>`
      select pg_get_functiondef(oid) as text from pg_proc
      where proname = ${`sync_${table}`} and pronamespace = 'public'::regnamespace`.execute(db);
    const text = rows[0]?.text ?? '';
    const now = text.replaceAll(new RegExp(FORMER, 'g'), personsOf('workspace_id'));
    if (now === text) throw new Error(`sync_${table} doesn’t tell of persons as expected.`);
    await sql.raw(now).execute(db);
  }
}
