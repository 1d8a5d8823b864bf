import { type RawBuilder, sql } from 'kysely';
import { CARD_NUMBER_LIKELY, findCardNumber } from '#shared/domain/money/card-number.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { Violation } from './violation.ts';

/** Of a table at a time, so that nobody waits long for the one connection of the embedded database. */
const PAGE_LIMIT = 200;
const PAGE_BYTES = 8192;

/**
 * I9 on a running product, whose codes and passwords nobody knows: what looks like a card's number stands in no
 * row, whichever card's it is.
 */
export function scanForCards(db: Db): Promise<Violation[]> {
  return scanPages(db, async (page) => {
    const { rows } = await sql<{ line: string }>`
      select row.line from ${page} where row.line ~ ${CARD_NUMBER_LIKELY}`.execute(db);
    // Commas part columns: figures beside each other are no number.
    const cards = rows.map(({ line }) => findCardNumber(line.replaceAll(',', ' ; ')));
    return cards.flatMap((card) => (card ? [`a card number ending ${card.slice(-4)}`] : []));
  });
}

/** What pages of all tables hold, each once for its table. `page` has each row as text: `row.line`. */
export async function scanPages(
  db: Db,
  findIn: (page: RawBuilder<unknown>) => Promise<string[]>,
): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const { table, pages } of await listTables(db)) {
    const held = new Set<string>();
    for (let from = 0; from < pages; from += PAGE_LIMIT) {
      const page = sql`(select t::text as line from ${sql.raw(table)} t
        where t.ctid >= ${`(${from},0)`}::tid and t.ctid < ${`(${from + PAGE_LIMIT},0)`}::tid
        offset 0) row`;
      for (const what of await findIn(page)) held.add(what);
    }
    found.push(...[...held].sort().map((what) => violation(table, what)));
  }
  return found;
}

export async function listTables(db: Db): Promise<Array<{ table: string; pages: number }>> {
  const { rows } = await sql<{ table: string; bytes: number }>`
    select format('%I.%I', n.nspname, c.relname) as table,
      pg_relation_size(c.oid)::float8 as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('public', 'pgboss') and c.relkind = 'r' order by 1`.execute(db);
  return rows.map(({ table, bytes }) => ({ table, pages: Math.ceil(bytes / PAGE_BYTES) }));
}

export function violation(where: string, what: string): Violation {
  return { invariant: 'I9', subject: where, problem: `holds ${what}` };
}
