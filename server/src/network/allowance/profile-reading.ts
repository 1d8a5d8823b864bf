import { sql } from 'kysely';
import type { NetworkAccount } from '#server/adapters/graph/social-network.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { Share } from './allowance-share.ts';
import type { BudgetDeps } from './graph-budget.ts';
import { type AccountReading, READ_POSTS, readNetworkAccount } from './network-reader.ts';

/** What could be learnt of an account, its posts left out. */
export type ProfileReading =
  | { kind: 'read'; account: NetworkAccount; readAt: Date }
  | Exclude<AccountReading, { kind: 'read' }>;

const REMEMBERED_MS = 60_000;

/** What was read of a name in the last minute, on whichever node: it takes nothing of the allowance. */
export async function findRememberedProfile(
  { clock, database }: Pick<BudgetDeps, 'clock' | 'database'>,
  igUsername: string,
): Promise<Extract<ProfileReading, { kind: 'read' | 'unreadable' }> | undefined> {
  const row = await database.db
    .selectFrom('remembered_profile')
    .selectAll()
    .where('ig_username', '=', igUsername)
    .where('read_at', '>', new Date(clock.now() - REMEMBERED_MS))
    .executeTakeFirst();
  if (!row) return undefined;
  const { account, read_at: readAt } = row;
  return account ? { kind: 'read', account, readAt } : { kind: 'unreadable' };
}

/** Reads an account, and remembers what the network said of it for a minute. */
export async function readProfile(
  deps: BudgetDeps,
  { igUsername, share }: { igUsername: string; share: Share },
): Promise<ProfileReading> {
  const reading = await readNetworkAccount(deps, {
    username: igUsername,
    limit: READ_POSTS.profile,
    share,
  });
  switch (reading.kind) {
    case 'read': {
      const { account, readAt } = reading;
      await remember(deps.database.db, igUsername, account, readAt);
      return { kind: 'read', account, readAt };
    }
    case 'unreadable':
      await remember(deps.database.db, igUsername, null, new Date(deps.clock.now()));
      break;
    case 'throttled':
    case 'unreachable':
      break;
  }
  return reading;
}

async function remember(
  db: Db,
  igUsername: string,
  account: NetworkAccount | null,
  readAt: Date,
): Promise<void> {
  const seen = { account: account && JSON.stringify(account), read_at: readAt };
  await db
    .insertInto('remembered_profile')
    .values({ ig_username: igUsername, ...seen })
    .onConflict((conflict) => conflict.column('ig_username').doUpdateSet(seen))
    .execute();
}

/** Drops what is too old to answer anything. */
export async function forgetProfiles(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - REMEMBERED_MS);
  await sql`delete from remembered_profile where read_at <= ${before}`.execute(db);
}
