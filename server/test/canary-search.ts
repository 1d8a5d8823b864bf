import { sql } from 'kysely';
import type { Database } from '#server/db/database.ts';
import type { Canaries } from '#server/features/invariants/canaries.ts';

/** Longer ones are tokens, which nothing would wrap a second time. */
const LONGEST_WRAPPED = 40;

/** The same secrets in each way they could be written down: grouped, and within base64. */
export function allSpellings(canaries: Canaries): Canaries {
  return Object.fromEntries(
    Object.entries(canaries).flatMap(([name, secret]) =>
      spellingsOf(secret).map(([how, text]) => [`${name}${how}`, text]),
    ),
  );
}

function spellingsOf(secret: string): Array<[how: string, text: string]> {
  const groups = (/^\d{16}$/.test(secret) && secret.match(/\d{4}/g)) || [];
  const grouped: Array<[string, string]> =
    groups.length > 0
      ? [
          [', grouped', groups.join(' ')],
          [', hyphened', groups.join('-')],
        ]
      : [];
  const places = secret.length > LONGEST_WRAPPED ? [] : [0, 1, 2];
  const wrapped = places.map((before): [string, string] => {
    const text = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]).toString('base64');
    // The letters at both ends also depend on what stands beside the secret.
    return [`, in base64 at ${before}`, text.replace(/=+$/, '').slice(before && before + 1, -1)];
  });
  return [['', secret], ...grouped, ...wrapped];
}

/**
 * The tables with a row in which a short value, such as a code of six digits, stands as a word of its
 * own. Within ids and numbers any six digits occur by chance.
 */
export async function tablesWithWord(
  { db }: Pick<Database, 'db'>,
  word: string,
): Promise<string[]> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname in ('public', 'pgboss') order by 1, 2`.execute(db);
  const found: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select to_jsonb(t)::text as row from ${sql.table(`${schema}.${name}`)} t`.execute(db);
    if (rows.some(({ row }) => standsAlone(row, word))) found.push(name);
  }
  return found;
}

export function standsAlone(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w.-])${word}(?![\\w.-])`).test(text);
}
