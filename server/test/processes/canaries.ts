import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Db } from '#server/kit/db/database.ts';
import { listTables, scanPages, violation } from '#server/ops/invariants/scan-for-cards.ts';
import type { Violation } from '#server/ops/invariants/violation.ts';

/** What must be found nowhere, by a name that may be shown: `{cvv: '739'}` is told as "cvv". */
export type Canaries = Readonly<Record<string, string>>;

/**
 * I9: none of the secrets planted in a run (card number, CVV, code, password) stands in any byte of a
 * directory: database files, write-ahead log, logs, mails. Canaries must be long or odd enough not to
 * occur by chance. A file that is gone meanwhile has nothing to show.
 */
export async function scanDirectory(directory: string, canaries: Canaries): Promise<Violation[]> {
  const found: Violation[] = [];
  for await (const [path, bytes] of filesIn(directory)) {
    found.push(...namesIn(bytes, canaries).map((name) => violation(path, `the ${name}`)));
  }
  return found;
}

/** The files of a directory that tell a CVV, under a name of it: in that many bytes four digits alone occur. */
export async function filesWithCvv(directory: string, cvv: string): Promise<string[]> {
  const found: string[] = [];
  for await (const [path, bytes] of filesIn(directory)) {
    if (namesCvv(bytes.toString('latin1'), cvv)) found.push(path);
  }
  return found;
}

async function* filesIn(directory: string): AsyncGenerator<[path: string, bytes: Buffer], void> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    yield [path, await readFile(path).catch(() => Buffer.alloc(0))];
  }
}

/** I9 over every row of every table of the product and of its job queue. */
export async function scanDatabase(db: Db, canaries: Canaries): Promise<Violation[]> {
  const secrets = JSON.stringify(canaries);
  return scanPages(db, async (page) => {
    const { rows } = await sql<{ name: string }>`
      select distinct c.name
      from ${page}, jsonb_each_text(${secrets}::text::jsonb) as c(name, secret)
      where strpos(row.line, c.secret) > 0`.execute(db);
    return rows.map(({ name }) => `the ${name}`);
  });
}

/** Longer ones are tokens, which nothing would wrap a second time. */
const LONGEST_WRAPPED = 40;

/** The same secrets in each way they could be written down: grouped, and within base64. */
export function allSpellings(canaries: Canaries): Canaries {
  return Object.fromEntries(
    Object.entries(canaries).flatMap(([name, secret]) =>
      [['', secret] as const, ...grouped(secret), ...wrapped(secret)].map(([how, text]) => [
        `${name}${how}`,
        text,
      ]),
    ),
  );
}

type Spelling = readonly [how: string, text: string];

function grouped(secret: string): Spelling[] {
  const groups = /^(\d{4})(\d{4})(\d{4})(\d{4})$|^(\d{4})(\d{6})(\d{5})$/
    .exec(secret)
    ?.slice(1)
    .filter((group) => group !== undefined);
  if (!groups) return [];
  return [
    [', grouped', groups.join(' ')],
    [', hyphened', groups.join('-')],
  ];
}

function wrapped(secret: string): Spelling[] {
  const places = secret.length > LONGEST_WRAPPED ? [] : [0, 1, 2];
  return places.map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString('base64');
    // The letters at both ends also depend on what stands beside the secret.
    return [`, in base64 at ${before}`, text.replace(/=+$/, '').slice(before && before + 1, -1)];
  });
}

/**
 * The tables with a row in which a short value, such as a code of six digits, stands as a word of its
 * own. Within ids and numbers any six digits occur by chance.
 */
export function tablesWithWord(db: Db, word: string): Promise<string[]> {
  return tablesWith(db, (row) => standsAlone(row, word));
}

/** The tables with a row that tells a CVV. */
export function tablesWithCvv(db: Db, cvv: string): Promise<string[]> {
  return tablesWith(db, (row) => tellsCvv(row, cvv));
}

/** A row is its JSON, with the names of its columns. */
async function tablesWith(db: Db, isFound: (row: string) => boolean): Promise<string[]> {
  const found: string[] = [];
  for (const { table } of await listTables(db)) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.raw(table)} t`.execute(db);
    if (rows.some(({ row }) => isFound(row))) found.push(table);
  }
  return found;
}

export function standsAlone(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w.-])${word}(?![\\w.-])`).test(text);
}

/**
 * Whether a text tells a CVV: under a name of it, in whatever notation, or as a word of its own. Three
 * digits alone occur by chance, as milliseconds do; those need the name.
 */
export function tellsCvv(text: string, cvv: string): boolean {
  return namesCvv(text, cvv) || (cvv.length > 3 && standsAlone(text, cvv));
}

/** `{"cvv":739}`, `cvv: 739`, `cvv=739`, the same escaped, within a string of JSON or an address. */
function namesCvv(text: string, cvv: string): boolean {
  const between = '(?:%[\\da-f]{2}|[^\\da-z]){0,16}';
  return new RegExp(`(?:cvv|cvc|csc|security.?code)${between}${cvv}(?!\\d)`, 'i').test(text);
}

/** I9 over texts: log lines, mails. */
export function scanTexts(
  where: string,
  texts: readonly string[],
  canaries: Canaries,
): Violation[] {
  const all = Buffer.from(texts.join('\n'));
  return namesIn(all, canaries).map((name) => violation(where, `the ${name}`));
}

function namesIn(bytes: Buffer, canaries: Canaries): string[] {
  return Object.entries(canaries)
    .filter(([, secret]) => bytes.includes(secret))
    .map(([name]) => name);
}
