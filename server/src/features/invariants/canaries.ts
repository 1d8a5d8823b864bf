import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Violation } from './violation.ts';

/** What must be found nowhere, by a name that may be shown: `{cvv: '739'}` is told as "cvv". */
export type Canaries = Readonly<Record<string, string>>;

/**
 * I9: none of the secrets planted in a run (card number, CVV, code, password) stands in any byte of a
 * directory: database files, write-ahead log, logs, mails. Canaries must be long or odd enough not to
 * occur by chance. A file that is gone meanwhile has nothing to show.
 */
export async function scanDirectory(directory: string, canaries: Canaries): Promise<Violation[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const found: Violation[] = [];
  for (const entry of entries.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    const bytes = await readFile(path).catch(() => Buffer.alloc(0));
    found.push(...namesIn(bytes, canaries).map((name) => violation(path, name)));
  }
  return found;
}

/** I9 over every row of every table of the product and of its job queue. */
export async function scanDatabase(db: Db, canaries: Canaries): Promise<Violation[]> {
  const { rows: tables } = await sql<{ table: string }>`
    select format('%I.%I', schemaname, tablename) as table from pg_tables
    where schemaname in ('public', 'pgboss') order by 1`.execute(db);
  const found: Violation[] = [];
  for (const { table } of tables) {
    for (const [name, secret] of Object.entries(canaries)) {
      const { rows } = await sql`select 1 from ${sql.raw(table)} as t
        where strpos(t::text, ${secret}) > 0 limit 1`.execute(db);
      if (rows.length > 0) found.push(violation(table, name));
    }
  }
  return found;
}

/** I9 over texts: log lines, mails. */
export function scanTexts(
  where: string,
  texts: readonly string[],
  canaries: Canaries,
): Violation[] {
  const all = Buffer.from(texts.join('\n'));
  return namesIn(all, canaries).map((name) => violation(where, name));
}

function namesIn(bytes: Buffer, canaries: Canaries): string[] {
  return Object.entries(canaries)
    .filter(([, secret]) => bytes.includes(secret))
    .map(([name]) => name);
}

function violation(where: string, name: string): Violation {
  return { invariant: 'I9', subject: where, problem: `holds the ${name}` };
}
