import { sql } from 'kysely';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { InWorkspace } from '#server/kit/db/people.ts';

/** What a request shows of where it comes from. */
export interface BrowserHashes {
  browserHash: Buffer;
  networkHash: Buffer;
}

/** So many browsers and networks of a customer are known, those seen last. */
export const KNOWN_LIMIT = 20;

export async function findKnown(
  db: Db,
  person: InWorkspace,
  { browserHash, networkHash }: BrowserHashes,
): Promise<{ isBrowserKnown: boolean; isNetworkKnown: boolean }> {
  const row = await db
    .selectFrom('known_browser')
    .select([
      sql<boolean | null>`bool_or(browser_hash = ${browserHash})`.as('browser'),
      sql<boolean | null>`bool_or(network_hash = ${networkHash})`.as('network'),
    ])
    .where('workspace_id', '=', person.workspaceId)
    .where('user_id', '=', person.userId)
    .executeTakeFirst();
  return { isBrowserKnown: row?.browser === true, isNetworkKnown: row?.network === true };
}

/** Remembers a browser, and forgets the one seen longest ago when there are too many. */
export async function upsertKnown(
  tx: Tx,
  person: InWorkspace,
  { browserHash, networkHash }: BrowserHashes,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('known_browser')
    .values({
      workspace_id: person.workspaceId,
      user_id: person.userId,
      browser_hash: browserHash,
      network_hash: networkHash,
      seen_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'user_id', 'browser_hash', 'network_hash'])
        .doUpdateSet({ seen_at: now }),
    )
    .execute();
  await tx
    .deleteFrom('known_browser')
    .where('workspace_id', '=', person.workspaceId)
    .where('user_id', '=', person.userId)
    .where('seen_at', '<', (eb) =>
      eb
        .selectFrom('known_browser as newest')
        .select('newest.seen_at')
        .where('newest.workspace_id', '=', person.workspaceId)
        .where('newest.user_id', '=', person.userId)
        .orderBy('newest.seen_at', 'desc')
        .offset(KNOWN_LIMIT - 1)
        .limit(1),
    )
    .execute();
}

export async function deleteKnown(tx: Tx, person: InWorkspace): Promise<void> {
  await tx
    .deleteFrom('known_browser')
    .where('workspace_id', '=', person.workspaceId)
    .where('user_id', '=', person.userId)
    .execute();
}
