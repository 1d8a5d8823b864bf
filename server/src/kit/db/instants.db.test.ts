import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/databases/test-database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const INSTANTS = [
  '2026-11-21T22:00:00Z',
  '2026-11-21T22:00:00.1Z',
  '2026-11-21T22:00:00.123456Z',
  '2026-11-21T22:00:00.9999Z',
  '2026-02-28T23:59:59.999Z',
  '2026-07-01T03:30:00+05:30',
  '1969-12-31T23:59:59.5Z',
];

test.each(['UTC', 'Asia/Kolkata', 'America/New_York'])(
  'instants are read to the millisecond in a session of %s',
  async (zone) => {
    await database.db.connection().execute(async (db) => {
      await sql`set time zone ${sql.lit(zone)}`.execute(db);
      for (const text of INSTANTS) {
        const { rows } = await sql<{ at: Date }>`select ${text}::timestamptz as at`.execute(db);
        expect([text, rows[0]?.at.getTime()]).toEqual([text, Date.parse(text)]);
      }
      await sql`reset time zone`.execute(db);
    });
  },
);
