import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SandboxStartError } from './settings.ts';

/**
 * The sandbox's state: one SQLite file, one connection, opened exclusively (caches in memory rely on
 * being the only writer). All ids are 17-digit strings beyond 2^53, as on the real network. Times are
 * milliseconds since 1970.
 *
 * Shared tables (other parts add their own):
 * - `account`      one profile; `kind` business | creator | personal | private | age_gated. Only
 *                  business and creator can be read through the Graph API.
 * - `media`        one post. It is live when `deleted_at is null and publish_at <= now`. Its like
 *                  count is `organic_likes + member_likes`, its views `organic_views + member_views`;
 *                  with `hide_likes = 1` the network tells nobody the like count.
 * - `member_like`  one like of one consenting member. WRITTEN BY THE PROVIDER PART: it inserts the
 *                  row and raises `media.member_likes` (and `member_views` for a VIDEO) by the number
 *                  of rows really inserted, in the same transaction. The primary key makes a member
 *                  like a post at most once.
 * - `meta`         small values: `image_secret`, ...
 *
 * Temporary triggers report each change of an account or its media, whoever makes it, so that cached
 * answers never go stale: nobody has to remember to invalidate.
 */
export interface SandboxState {
  db: DatabaseSync;
  /** Registers a listener for the ids of accounts that changed. */
  onAccountChanged: (listener: (igId: string) => void) => void;
  close(): void;
}

const SCHEMA_VERSION = 1;

const SCHEMA = `
create table if not exists meta (key text primary key, value text not null) without rowid;
create table if not exists account (
  ig_id text primary key,
  username text not null unique collate nocase,
  kind text not null check (kind in ('business','creator','personal','private','age_gated')),
  name text not null default '',
  bio text not null default '',
  followers integer not null default 0,
  picture text not null,
  renamed_from text,
  is_demo integer not null default 0,
  created_at integer not null
);
create table if not exists media (
  id text primary key,
  ig_id text not null references account (ig_id) on delete cascade,
  shortcode text not null unique,
  media_type text not null check (media_type in ('IMAGE','VIDEO','CAROUSEL_ALBUM')),
  product_type text not null check (product_type in ('FEED','REELS')),
  caption text not null default '',
  file text not null,
  children text not null default '[]',
  taken_at integer not null,
  publish_at integer not null,
  hide_likes integer not null default 0,
  has_media_url integer not null default 1,
  pinned integer not null default 0,
  organic_likes integer not null default 0,
  member_likes integer not null default 0,
  organic_views integer not null default 0,
  member_views integer not null default 0,
  comments integer not null default 0,
  deleted_at integer
);
create index if not exists media_by_account on media (ig_id, pinned, taken_at);
create index if not exists media_by_time on media (taken_at);
create table if not exists member_like (
  media_id text not null references media (id) on delete cascade,
  member_id integer not null,
  at integer not null,
  primary key (media_id, member_id)
) without rowid;
create index if not exists member_like_recent on member_like (media_id, at desc);
`;

const TRIGGERS = `
create temp trigger account_told after update on account begin select account_changed(new.ig_id); end;
create temp trigger account_gone after delete on account begin select account_changed(old.ig_id); end;
create temp trigger media_added after insert on media begin select account_changed(new.ig_id); end;
create temp trigger media_told after update on media begin select account_changed(new.ig_id); end;
create temp trigger media_gone after delete on media begin select account_changed(old.ig_id); end;
`;

/**
 * Opens or makes the state file.
 * @throws SandboxStartError 'state' when it is damaged, in use, or of another version.
 */
export function openState(path: string): SandboxState {
  const listeners: ((igId: string) => void)[] = [];
  const db = openDatabase(path);
  try {
    prepareDatabase(db, path);
  } catch (error) {
    db.close();
    throw error instanceof SandboxStartError ? error : damaged(path, error);
  }
  db.function('account_changed', (igId) => {
    for (const listener of listeners) listener(String(igId));
    return null;
  });
  db.exec(TRIGGERS);
  return {
    db,
    onAccountChanged: (listener) => void listeners.push(listener),
    close: () => db.close(),
  };
}

/** An earlier version let every user of the machine read the mails in it. */
function closeToOthers(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (existsSync(file)) chmodSync(file, 0o600);
  }
}

function openDatabase(path: string): DatabaseSync {
  try {
    if (path !== ':memory:') {
      mkdirSync(dirname(path), { recursive: true });
      closeToOthers(path);
    }
    return new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: 500 });
  } catch (error) {
    throw damaged(path, error);
  }
}

function prepareDatabase(db: DatabaseSync, path: string): void {
  // Exclusive before WAL: the second process on one file fails at once instead of sharing it.
  db.exec(
    'pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = normal;',
  );
  const version = Number(db.prepare('pragma user_version').get()?.['user_version'] ?? 0);
  if (version !== 0 && version !== SCHEMA_VERSION) {
    throw new SandboxStartError(
      'state',
      `The sandbox’s state file ${path} is from another version: delete it (it holds demo data only) and start again.`,
    );
  }
  db.exec(`begin immediate; ${SCHEMA} pragma user_version = ${SCHEMA_VERSION}; commit;`);
  db.prepare('insert or ignore into meta (key, value) values (?, ?)').run(
    'image_secret',
    randomBytes(24).toString('hex'),
  );
}

const SQLITE_BUSY = 5;

function damaged(path: string, cause: unknown): SandboxStartError {
  const code = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : 0;
  if (code === SQLITE_BUSY) {
    return new SandboxStartError(
      'state',
      `The sandbox’s state file ${path} is used by another sandbox: stop that one, or set SANDBOX_STATE to another path.`,
      { cause },
    );
  }
  return new SandboxStartError(
    'state',
    `The sandbox’s state file ${path} can’t be read: delete it (it holds demo data only), or set SANDBOX_STATE to a path you can write to.`,
    { cause },
  );
}

/** Runs `work` in one transaction; `work` must not await. Rolls back and rethrows what it throws. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('begin immediate');
  try {
    const result = work();
    db.exec('commit');
    return result;
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
}

/**
 * Ids as on the real network: 17 digits, beyond 2^53, so that reading one as a number breaks at once.
 * `random` gives 53 bits; uniqueness is enforced by the primary keys.
 */
export function newAccountId(random: () => number): string {
  return `178414${digits(random, 11)}`;
}

export function newMediaId(random: () => number): string {
  return `17${8 + Math.floor(random() * 2)}${digits(random, 14)}`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Eleven characters, starting like the real ones. */
export function newShortcode(random: () => number): string {
  let code = 'D';
  while (code.length < 11) code += ALPHABET[Math.floor(random() * 64)] ?? 'A';
  return code;
}

function digits(random: () => number, count: number): string {
  return String(Math.floor(random() * 10 ** count)).padStart(count, '0');
}
