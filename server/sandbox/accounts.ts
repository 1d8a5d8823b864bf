import type { SandboxContext } from './context.ts';
import { newAccountId } from './state.ts';
import { Refusal } from './refusal.ts';

export const ACCOUNT_KINDS = ['business', 'creator', 'personal', 'private', 'age_gated'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

export interface Account {
  igId: string;
  username: string;
  kind: AccountKind;
  name: string;
  bio: string;
  followers: number;
  /** File key of the profile picture. */
  picture: string;
  isDemo: boolean;
}

export interface NewAccount {
  username: string;
  kind: AccountKind;
  name?: string;
  bio?: string;
  followers?: number;
  picture?: string;
  isDemo?: boolean;
  createdAt?: number;
}

/** The network's profiles. User names are kept in lower case and compared so. */
export interface AccountBook {
  /** @throws Refusal username_taken, username_invalid */
  create(account: NewAccount): Account;
  findByName(username: string): Account | undefined;
  /** @throws Refusal unknown_account */
  getByName(username: string): Account;
  find(igId: string): Account | undefined;
  /** Demo accounts first, then the newest. */
  list(limit: number): Account[];
  /** Any of the demo's accounts, each as likely; undefined without one. */
  anyDemo(): Account | undefined;
  countDemo(): number;
  /** @throws Refusal unknown_account, username_taken, username_invalid */
  rename(username: string, next: string): Account;
  /** @throws Refusal unknown_account */
  change(username: string, change: Partial<Pick<Account, 'kind' | 'followers' | 'bio'>>): Account;
  /** Only these kinds answer through the Graph API. */
  isReadable(account: Account): boolean;
}

const COLUMNS = 'ig_id, username, kind, name, bio, followers, picture, is_demo';

export function openAccounts(ctx: Pick<SandboxContext, 'db' | 'now' | 'random'>): AccountBook {
  const { db, now, random } = ctx;
  const insert = db.prepare(
    `insert into account (${COLUMNS}, created_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const byName = db.prepare(`select ${COLUMNS} from account where username = ?`);
  const byId = db.prepare(`select ${COLUMNS} from account where ig_id = ?`);
  const setName = db.prepare(
    'update account set renamed_from = username, username = ? where ig_id = ?',
  );
  const setRest = db.prepare('update account set kind = ?, followers = ?, bio = ? where ig_id = ?');

  const findByName = (username: string): Account | undefined =>
    toAccount(byName.get(username.toLowerCase()));
  const getByName = (username: string): Account => findByName(username) ?? refuseUnknown(username);
  const freeName = (username: string, owner?: string): string => {
    const name = checkUsername(username);
    const holder = findByName(name);
    if (holder && holder.igId !== owner) {
      throw new Refusal('username_taken', `The name ${name} is taken.`);
    }
    return name;
  };

  return {
    create(account) {
      const username = freeName(account.username);
      const igId = newAccountId(random);
      insert.run(
        igId,
        username,
        account.kind,
        account.name ?? '',
        account.bio ?? '',
        account.followers ?? 40 + Math.floor(random() * 4000),
        account.picture ?? `face/${Math.floor(random() * 1e9)}.jpg`,
        account.isDemo ? 1 : 0,
        account.createdAt ?? now(),
      );
      return getByName(username);
    },
    findByName,
    getByName,
    find: (igId) => toAccount(byId.get(igId)),
    ...listing(ctx),
    rename(username, next) {
      const account = getByName(username);
      setName.run(freeName(next, account.igId), account.igId);
      return getByName(next);
    },
    change(username, change) {
      const account = getByName(username);
      const { kind, followers, bio } = { ...account, ...change };
      setRest.run(kind, followers, bio, account.igId);
      return getByName(username);
    },
    isReadable: (account) => account.kind === 'business' || account.kind === 'creator',
  };
}

function listing({
  db,
  random,
}: Pick<SandboxContext, 'db' | 'random'>): Pick<AccountBook, 'list' | 'anyDemo' | 'countDemo'> {
  const newest = db.prepare(
    `select ${COLUMNS} from account order by is_demo desc, created_at desc limit ?`,
  );
  const count = db.prepare('select count(*) as n from account where is_demo = 1');
  const nth = db.prepare(
    `select ${COLUMNS} from account where is_demo = 1 order by ig_id limit 1 offset ?`,
  );
  const countDemo = (): number => Number(count.get()?.['n']);
  return {
    list: (limit) => newest.all(limit).flatMap((row) => toAccount(row) ?? []),
    countDemo,
    anyDemo: () => toAccount(nth.get(Math.floor(random() * countDemo()))),
  };
}

function refuseUnknown(username: string): never {
  throw new Refusal('unknown_account', `There is no account named ${username}.`);
}

/** @throws Refusal username_invalid */
function checkUsername(username: string): string {
  const name = username.trim().toLowerCase();
  if (/^[a-z0-9._]{1,30}$/.test(name)) return name;
  throw new Refusal(
    'username_invalid',
    'A username has 1 to 30 letters, digits, dots or underscores.',
  );
}

function toAccount(row: Record<string, unknown> | undefined): Account | undefined {
  if (!row) return undefined;
  return {
    igId: String(row['ig_id']),
    username: String(row['username']),
    kind: row['kind'] as AccountKind,
    name: String(row['name']),
    bio: String(row['bio']),
    followers: Number(row['followers']),
    picture: String(row['picture']),
    isDemo: row['is_demo'] === 1,
  };
}
