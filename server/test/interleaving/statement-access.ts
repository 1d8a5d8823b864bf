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
  /** Tables whose rows are locked wholly, so that no new row may refer to them. */
  holds: ReadonlySet<string>;
  /** Tables to whose rows new rows refer. */
  refersTo: ReadonlySet<string>;
}

/** What the database has. */
export interface TableMap {
  /** To which other tables the rows of each table refer. */
  references: ReadonlyMap<string, readonly string[]>;
  /** Tables whose changes are written to the log at the end of their transaction. */
  logged: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
const NO_ACCESS: Access = {
  reads: NONE,
  writes: NONE,
  publishes: NONE,
  adds: NONE,
  holds: NONE,
  refersTo: NONE,
};

/** Of a step that any step of the other side may depend on. */
export function accessToAll({ references }: TableMap): Access {
  const all = new Set(references.keys());
  return { reads: all, writes: all, publishes: all, adds: NONE, holds: all, refersTo: all };
}

const WRITTEN = /\b(?:insert\s+into|update|delete\s+from)\s+"?([a-z_]+)"?/g;
const LOCKING = /\bfor\s+(?:no\s+key\s+)?(?:update|share)\b|\bfor\s+key\s+share\b/g;

/** What a locking query without parentheses selects from: the rows of those tables it locks. */
const LOCKED = /\bfrom\b((?:(?!\bfrom\b)[^()])*)\bfor\s+(?:no\s+key\s+)?(?:update|share)\b/;
/** One that says of which of them. */
const LOCKED_BY_NAME = /\bfor\s+(?:no\s+key\s+)?(?:update|share)\s+of\s+([a-z_]+)/g;
const HOLDING = /\bfor\s+update\b|\bdelete\s+from\b/;
/** Stands for the log of changes. */
const LOG = 'sync_flush';

const isFilled = (tables: readonly string[]): boolean => tables.length > 0;

/** Reads tables off a statement's text. In doubt a table counts as written: that costs only time. */
export class AccessReader {
  readonly #references: TableMap['references'];
  readonly #logged: TableMap['logged'];
  readonly #tables: ReadonlySet<string>;
  #isInTransaction = false;
  #written = new Set<string>();

  constructor({ references, logged }: TableMap) {
    this.#references = references;
    this.#logged = logged;
    this.#tables = new Set([...references.keys(), LOG]);
  }

  /** The access of the next statement of a connection; `take` must follow when it is sent. */
  peek(text: string): Access {
    const sql = text.toLowerCase().replace(/^select .* from sync_flush\(\)$/, 'update sync_flush');
    if (/^\s*begin\b/.test(sql)) return NO_ACCESS;
    if (/^\s*(?:commit|rollback)\b/.test(sql)) return { ...NO_ACCESS, publishes: this.#written };
    const reads = this.#tablesIn(sql);
    const changed = [...sql.matchAll(WRITTEN)].map(([, table = '']) => table);
    const locked = sql.search(LOCKING) >= 0 ? this.#lockedIn(sql) : NONE;
    const writes = new Set([...locked, ...changed.filter((table) => this.#tables.has(table))]);
    // A statement by itself is its own transaction.
    const isLogged = changed.some((table) => this.#logged.has(table));
    if (isLogged && !this.#isInTransaction) writes.add(LOG);
    const isPlainInsert =
      /^\s*insert\s+into\b/.test(sql) && !/\bon\s+conflict\b|\bselect\b/.test(sql);
    return {
      reads: isPlainInsert ? NONE : reads,
      writes,
      publishes: this.#isInTransaction ? NONE : writes,
      adds: isPlainInsert ? new Set(changed) : NONE,
      holds: HOLDING.test(sql) ? writes : NONE,
      refersTo: new Set(changed.flatMap((table) => this.#references.get(table) ?? [])),
    };
  }

  /** Tables whose rows a locking query locks: the named ones, or all that it selects from. */
  #lockedIn(sql: string): ReadonlySet<string> {
    const named = [...sql.matchAll(LOCKED_BY_NAME)].map(([, name = '']) =>
      [...this.#tables].filter(
        (table) => table === name || new RegExp(`\\b${table}(?:\\s+as)?\\s+${name}\\b`).test(sql),
      ),
    );
    const isTold = named.length === [...sql.matchAll(LOCKING)].length && named.every(isFilled);
    return isTold ? new Set(named.flat()) : this.#tablesIn(LOCKED.exec(sql)?.[1] ?? sql);
  }

  #tablesIn(sql: string): ReadonlySet<string> {
    const named = new Set([...sql.matchAll(/[a-z_]+/g)].map(([word]) => word));
    return new Set([...this.#tables].filter((table) => named.has(table)));
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
 * own don't meet each other, and meet those they refer to only where these are locked wholly.
 */
export function areDependent(a: Access, b: Access): boolean {
  return (
    meet(a.publishes, b.reads) ||
    meet(b.publishes, a.reads) ||
    meet(a.holds, b.refersTo) ||
    meet(b.holds, a.refersTo) ||
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
