import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';

/** A value that must never be kept, by what it is; found in each way it could be written down. */
export type Canaries = Readonly<Record<string, string>>;

/** Which canary was found where, as "card number in pg_wal/000001". */
export type Finding = string;

/** Every byte of every file below a directory. */
export function searchFiles(directory: string, canaries: Canaries): Finding[] {
  const searches = searchesFor(canaries);
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return files.flatMap((file) => {
    const bytes = readFileSync(file);
    const found = searches.filter(({ spellings }) =>
      spellings.some((each) => bytes.includes(each)),
    );
    return found.map(({ name }) => `${name} in ${relative(directory, file)}`);
  });
}

/** A log, a mail, an answer. */
export function searchText(where: string, text: string, canaries: Canaries): Finding[] {
  const bytes = Buffer.from(text);
  return searchesFor(canaries)
    .filter(({ spellings }) => spellings.some((each) => bytes.includes(each)))
    .map(({ name }) => `${name} in ${where}`);
}

/**
 * Every row of every table, the job queue's included. `words` are short values, such as a code of six
 * digits: they count where they stand alone, because bytes hold any six digits by chance.
 */
export async function searchRows(
  { db }: Pick<Database, 'db'>,
  canaries: Canaries,
  words: Canaries,
): Promise<Finding[]> {
  const tables = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `.execute(db);
  const findings: Finding[] = [];
  for (const { schema, name } of tables.rows) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(`${schema}.${name}`)} t
    `.execute(db);
    const text = rows.map(({ row }) => row).join('\n');
    findings.push(...searchText(`table ${name}`, text, canaries));
    for (const [word, value] of Object.entries(words)) {
      if (standsAlone(text, value)) findings.push(`${word} in table ${name}`);
    }
  }
  return findings;
}

/** Whether a short value stands in a text as a word of its own: not within an id or a number. */
export function standsAlone(text: string, value: string): boolean {
  return new RegExp(`(?<![\\w.-])${value}(?![\\w.-])`).test(text);
}

function searchesFor(canaries: Canaries): Array<{ name: string; spellings: Buffer[] }> {
  return Object.entries(canaries).map(([name, value]) => ({
    name,
    spellings: spellingsOf(value).map((text) => Buffer.from(text)),
  }));
}

/** Longer ones are tokens, which nothing would wrap a second time. */
const LONGEST_BASE64 = 40;

/** As it is; a card number also grouped; and within base64, where it may begin at three places. */
function spellingsOf(value: string): string[] {
  const groups = value.match(/\d{4}/g) ?? [];
  const grouped = /^\d{16}$/.test(value) ? [groups.join(' '), groups.join('-')] : [];
  const isToken = value.length > LONGEST_BASE64;
  const inBase64 = (isToken ? [] : [0, 1, 2]).map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]).toString('base64');
    // The letters at both ends also depend on what stands beside the value.
    return text.replace(/=+$/, '').slice(before === 0 ? 0 : before + 1, -1);
  });
  return [value, ...grouped, ...inBase64];
}
