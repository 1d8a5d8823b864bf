import { type Selectable, sql } from 'kysely';
import type { NetworkAccount } from '#server/adapters/graph/social-network.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { RememberedProfileTable } from '#server/kit/db/tables/graph-bucket.table.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';

const REMEMBERED_MS = MINUTE_MS;
/** Whoever has just made their account readable tries again soon. */
const UNREADABLE_REMEMBERED_MS = 10_000;

/** What was read of a name in the last minute; an account of null can't be read, as of the last ten seconds. */
export function findProfile(
  db: Db,
  igUsername: string,
  now: Date,
): Promise<Selectable<RememberedProfileTable> | undefined> {
  return db
    .selectFrom('remembered_profile')
    .selectAll()
    .where('ig_username', '=', igUsername)
    .where('read_at', '>', new Date(now.getTime() - REMEMBERED_MS))
    .where((or) =>
      or.or([
        or('account', 'is not', null),
        or('read_at', '>', new Date(now.getTime() - UNREADABLE_REMEMBERED_MS)),
      ]),
    )
    .executeTakeFirst();
}

export async function rememberProfile(
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
