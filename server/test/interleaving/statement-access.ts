/** What one step of a side does to tables, as far as another side could tell. */
export interface Access {
  /** Tables of which a committed state is seen. */
  reads: ReadonlySet<string>;
  /** Tables whose rows are locked or changed, seen by others once committed. */
  writes: ReadonlySet<string>;
  /** Tables whose changes others can see from now on. */
  publishes: ReadonlySet<string>;
  /** Tables that are only added to, under keys nobody else has. */
  adds: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
export const NO_ACCESS: Access = { reads: NONE, writes: NONE, publishes: NONE, adds: NONE };

const WRITTEN = /\b(?:insert\s+into|update|delete\s+from)\s+"?([a-z_]+)"?/g;
const LOCKING = /\bfor\s+(?:no\s+key\s+)?(?:update|share)\b|\bfor\s+key\s+share\b/;

/** Reads tables off a statement's text. In doubt a table counts as written: that costs only time. */
export class AccessReader {
  readonly #tables: ReadonlySet<string>;
  #isInTransaction = false;
  #written = new Set<string>();

  constructor(tables: Iterable<string>) {
    this.#tables = new Set([...tables, 'sync_flush']);
  }

  /** The access of the next statement of a connection; `take` must follow when it is sent. */
  peek(text: string): Access {
    // The end of every transaction writes its lines of the log inside the database.
    const sql = text.toLowerCase().replace(/^select .* from sync_flush\(\)$/, 'update sync_flush');
    if (/^\s*begin\b/.test(sql)) return NO_ACCESS;
    if (/^\s*(?:commit|rollback)\b/.test(sql)) return { ...NO_ACCESS, publishes: this.#written };
    const named = new Set([...sql.matchAll(/[a-z_]+/g)].map(([word]) => word));
    const reads = new Set([...this.#tables].filter((table) => named.has(table)));
    const written = [...sql.matchAll(WRITTEN)].map(([, table = '']) => table);
    const isLocking = LOCKING.test(sql);
    const writes = new Set(isLocking ? reads : written.filter((table) => this.#tables.has(table)));
    const isPlainInsert =
      /^\s*insert\s+into\b/.test(sql) && !/\bon\s+conflict\b|\bselect\b/.test(sql);
    const publishes = this.#isInTransaction ? NONE : writes;
    if (!isPlainInsert) return { reads, writes, publishes, adds: NONE };
    return { reads: NONE, writes, publishes, adds: writes };
  }

  take(text: string): void {
    const { writes } = this.peek(text);
    if (/^\s*begin\b/i.test(text)) this.#isInTransaction = true;
    if (/^\s*(?:commit|rollback)\b/i.test(text)) {
      this.#isInTransaction = false;
      this.#written = new Set();
    }
    if (this.#isInTransaction) for (const table of writes) this.#written.add(table);
  }
}

/**
 * Whether two steps of different sides could come out differently in the other order. A read sees only
 * what is committed, so an uncommitted change matters to writers alone; rows added under keys of their
 * own don't meet each other.
 */
export function areDependent(a: Access, b: Access): boolean {
  return (
    meet(a.publishes, b.reads) ||
    meet(b.publishes, a.reads) ||
    writersMeet(a, b) ||
    publisherMeetsWriter(a, b) ||
    publisherMeetsWriter(b, a)
  );
}

function writersMeet(a: Access, b: Access): boolean {
  return [...a.writes].some(
    (table) => b.writes.has(table) && !(a.adds.has(table) && b.adds.has(table)),
  );
}

/** A commit lets go of locks and changes what a writer finds. */
function publisherMeetsWriter(publisher: Access, writer: Access): boolean {
  return [...publisher.publishes].some(
    (table) => writer.writes.has(table) && !writer.adds.has(table),
  );
}

function meet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((table) => b.has(table));
}
