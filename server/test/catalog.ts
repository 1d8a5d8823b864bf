import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';

/** What a schema is made of: a name for each part, and what it says, as the database writes it. */
const PARTS = `
  select 'relation ' || c.relname as part, concat(c.relkind, c.relpersistence, c.reloptions) as says
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind <> 'i'
  union all
  select 'column ' || c.relname || '.' || a.attname,
      concat_ws(' ', row_number() over (partition by c.oid order by a.attnum),
        format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
        pg_get_expr(d.adbin, d.adrelid), (select collname from pg_collation l where l.oid = a.attcollation))
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind <> 'i'
  union all
  select 'constraint ' || conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all
  select 'index ' || indexname, indexdef from pg_indexes where schemaname = 'public'
  union all
  select 'function ' || proname, regexp_replace(pg_get_functiondef(oid), '\\s+', ' ', 'g')
    from pg_proc where pronamespace = 'public'::regnamespace
  union all
  select 'trigger ' || tgrelid::regclass || '.' || tgname, concat(tgenabled, ' ', pg_get_triggerdef(oid))
    from pg_trigger where not tgisinternal`;

/** Tables, columns, defaults, constraints, indexes, functions and triggers, each once. */
export async function catalogOf(db: Db): Promise<Record<string, string>> {
  const { rows } = await db.transaction().execute(async (tx) => {
    // Instants among the defaults are written in the time zone of whoever asks.
    await sql`set local time zone 'UTC'`.execute(tx);
    return sql
      .raw<{ part: string; says: string }>(
        `select * from (${PARTS}) parts order by part collate "C"`,
      )
      .execute(tx);
  });
  return Object.fromEntries(
    rows.filter(({ part }) => !part.includes('kysely_')).map(({ part, says }) => [part, says]),
  );
}
