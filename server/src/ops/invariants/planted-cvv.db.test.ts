import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '#test/databases/test-database.ts';
import { filesWithCvv, tablesWithCvv, tellsCvv } from '#test/processes/canaries.ts';

let database: TestDatabase;
let directory: string;
beforeAll(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), 'ovation-cvv-'));
  const { db } = database;
  await sql`create table planted (words text, number integer, cvv smallint, document jsonb)`.execute(
    db,
  );
  await sql`create schema if not exists pgboss`.execute(db);
  await sql`create table pgboss.planted_job (data jsonb)`.execute(db);
});
afterAll(async () => {
  await database.close();
  await rm(directory, { recursive: true, force: true });
});

const LONG = '7391';
const SHORT = '739';
const ESCAPED = JSON.stringify(JSON.stringify({ body: { cvv: LONG } }));
/** Each way a CVV could be written down under its name. */
const SPELLINGS = [
  [`{"cvv":${LONG}}`, LONG],
  [`{"cvv":"${SHORT}"}`, SHORT],
  [`cvv: ${LONG}`, LONG],
  [`CVV = ${SHORT}`, SHORT],
  [`a=b&cvv=${SHORT}&zip=1`, SHORT],
  [`?form=%7B%22cvv%22%3A%22${SHORT}%22%7D`, SHORT],
  [`card[cvc]=${LONG}`, LONG],
  [ESCAPED, LONG],
  [JSON.stringify(ESCAPED), LONG],
] as const;

const tablesOf = (cvv: string): Promise<string[]> => tablesWithCvv(database.db, cvv);

test.each(SPELLINGS)(
  'a CVV written down as %s is found in a log, a file and a row',
  async (text, cvv) => {
    const line = JSON.stringify({ event: 'request', durationMs: 12, reason: text });
    expect(tellsCvv(line, cvv)).toBe(true);
    const path = join(directory, 'planted');
    const noise = Buffer.from([0, 255, 1]);
    await writeFile(path, Buffer.concat([noise, Buffer.from(text), noise]));
    await writeFile(join(directory, 'harmless'), 'cvv: 1739, 739');
    expect(await filesWithCvv(directory, cvv)).toEqual([path]);
    const { db } = database;
    await sql`insert into planted (words) values (${text})`.execute(db);
    expect(await tablesOf(cvv)).toEqual(['public.planted']);
    await sql`delete from planted`.execute(db);
    expect(await tablesOf(cvv)).toEqual([]);
  },
);

test.each([
  ['a column of text', `insert into planted (words) values ('${LONG}')`, LONG],
  ['a column of numbers', `insert into planted (number) values (${LONG})`, LONG],
  ['a column of its name', `insert into planted (cvv) values (${SHORT})`, SHORT],
  ['a document', `insert into planted (document) values ('{"a":[{"cvv":${SHORT}}]}')`, SHORT],
  ['a document, without its name', `insert into planted (document) values ('["${LONG}"]')`, LONG],
])('a bare CVV in %s is found', async (_where, statement, cvv) => {
  await sql.raw(statement).execute(database.db);
  expect(await tablesOf(cvv)).toEqual(['public.planted']);
  await sql`delete from planted`.execute(database.db);
});

test('a CVV in a job of the queue is found', async () => {
  const job = `insert into pgboss.planted_job values ('{"form":{"cvv":"${SHORT}"}}')`;
  await sql.raw(job).execute(database.db);
  expect(await tablesOf(SHORT)).toEqual(['pgboss.planted_job']);
});

test('milliseconds, ids and times that happen to have its digits are no CVV', () => {
  const harmless = ['"durationMs":739', '"at":"10:00:00.739Z"', 'id-7391-x', '17391', '73910'];
  expect(harmless.filter((text) => tellsCvv(text, LONG) || tellsCvv(text, SHORT))).toEqual([]);
});
