import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';

/**
 * Ways to write the log of changes that look right and aren't. Each replaces functions of the migration in
 * the test's own database.
 */
export const PLANTED = {
  /** A version from a sequence: given when a row is written, seen when its transaction commits. */
  'versions of a sequence': [
    `create sequence planted_version start 1000`,
    `alter table sync_head rename to planted_head`,
    `create view sync_head as select workspace_id, scope, max(v) as v, 0::bigint as gc_v from sync_row
       group by 1, 2`,
    `create or replace function sync_touch(lines text) returns void language plpgsql as $$
      begin
        insert into sync_row (workspace_id, scope, entity, id, v, deleted)
        select distinct on (l) split_part(l, E'\\t', 1)::uuid, split_part(l, E'\\t', 2),
            split_part(l, E'\\t', 3), split_part(l, E'\\t', 4), nextval('planted_version'),
            split_part(l, E'\\t', 5) = 'd'
          from string_to_table(rtrim(lines, E'\\n'), E'\\n') l where l <> ''
        on conflict (workspace_id, scope, entity, id) do update
          set v = excluded.v, deleted = excluded.deleted;
      end $$`,
  ],
  /** The heads are locked in the order in which a transaction happened to touch their scopes. */
  'heads in no order': [
    `create or replace function sync_flush() returns table (scope text, v bigint)
      language plpgsql as $$
      declare pending text := current_setting('sync.pending', true);
        one record; version bigint;
      begin
        if pending is null or pending = '' then return; end if;
        perform set_config('sync.pending', '', true);
        for one in
          select split_part(l, E'\\t', 1)::uuid as workspace, split_part(l, E'\\t', 2) as name, min(nr)
            from string_to_table(rtrim(pending, E'\\n'), E'\\n') with ordinality t(l, nr)
            group by 1, 2 order by 3
        loop
          insert into sync_head as h (workspace_id, scope, v) values (one.workspace, one.name, 1)
            on conflict on constraint sync_head_pkey do update set v = h.v + 1
            returning h.v into version;
          insert into sync_row as r (workspace_id, scope, entity, id, v, deleted)
          select distinct on (4) one.workspace, one.name, split_part(l, E'\\t', 3),
              split_part(l, E'\\t', 4), version, split_part(l, E'\\t', 5) = 'd'
            from string_to_table(rtrim(pending, E'\\n'), E'\\n') with ordinality t(l, nr)
            where split_part(l, E'\\t', 2) = one.name order by 4, nr desc
          on conflict on constraint sync_row_pkey do update
            set v = excluded.v, deleted = excluded.deleted;
        end loop;
      end $$`,
  ],
  /** The heads are raised by the first write to their scopes and are held while the work goes on. */
  'heads first': [
    `create or replace function sync_touch(lines text) returns void language plpgsql as $$
      begin
        if coalesce(lines, '') = '' then return; end if;
        insert into sync_head as h (workspace_id, scope, v)
        select distinct split_part(l, E'\\t', 1)::uuid, split_part(l, E'\\t', 2), 1
          from string_to_table(rtrim(lines, E'\\n'), E'\\n') l
        on conflict (workspace_id, scope) do update set v = h.v + 1;
        perform set_config('sync.pending', concat(current_setting('sync.pending', true), lines), true);
      end $$`,
    `create or replace function sync_flush() returns table (scope text, v bigint)
      language plpgsql as $$
      declare pending text := current_setting('sync.pending', true);
      begin
        if pending is null or pending = '' then return; end if;
        perform set_config('sync.pending', '', true);
        insert into sync_row as r (workspace_id, scope, entity, id, v, deleted)
        select distinct on (2, 3, 4) h.workspace_id, h.scope, split_part(l, E'\\t', 3),
            split_part(l, E'\\t', 4), h.v, split_part(l, E'\\t', 5) = 'd'
          from string_to_table(rtrim(pending, E'\\n'), E'\\n') with ordinality t(l, nr)
          join sync_head h on h.workspace_id = split_part(l, E'\\t', 1)::uuid
            and h.scope = split_part(l, E'\\t', 2) collate "C"
          order by 2, 3, 4, nr desc
        on conflict on constraint sync_row_pkey do update
          set v = excluded.v, deleted = excluded.deleted;
      end $$`,
  ],
} as const satisfies Record<string, readonly string[]>;

export async function plant(db: Db, name: keyof typeof PLANTED): Promise<void> {
  for (const statement of PLANTED[name]) await sql.raw(statement).execute(db);
}
