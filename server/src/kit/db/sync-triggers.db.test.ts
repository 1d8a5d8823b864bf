import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '#test/databases/test-database.ts';

const HEADER = `-- What collects and logs the changes of synced rows: every function and trigger, as migrations left them.
-- Nothing runs this file. It is written from the catalog of a migrated database, and held to it, by
--   npx vitest run --project pglite server/src/kit/db/sync-triggers.db.test.ts
-- which renews it with -u.
`;

/** Functions, then triggers by their tables. */
const PARTS = `
  select 1 as place, p.proname as name, '' as trigger, pg_get_functiondef(p.oid) as says
    from pg_proc p where p.pronamespace = 'public'::regnamespace and p.proname like 'sync\\_%'
  union all
  select 2, t.tgrelid::regclass::text, t.tgname, pg_get_triggerdef(t.oid)
    from pg_trigger t join pg_proc p on p.oid = t.tgfoid
    where not t.tgisinternal and p.proname like 'sync\\_%'`;

test('sync-triggers.sql says what the triggers of a migrated database do', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.close());
  const { rows } = await sql
    .raw<{ says: string }>(`select says from (${PARTS}) parts
      order by place, name collate "C", trigger collate "C"`)
    .execute(database.db);
  const text = [HEADER, ...rows.map(({ says }) => `${says.trim()};\n`)].join('\n');
  await expect(text).toMatchFileSnapshot('sync-triggers.sql');
});
