import { accountKey } from '../store/entity-shape.ts';
import { type LocalDatabase, readLocal } from '../store/local-database.ts';
import { listRowsOf } from '../store/read-rows.ts';
import { listShown, olderKey, type ShownScope } from '../store/scope-state.ts';
import type { StoreReader, StoreWriter } from '../store/sync-store.ts';

/** Posts of an account that the server has and this replica doesn't: those behind a place in its order. */
export interface OlderPosts {
  scope: string;
  generation: number;
  accountId: string;
  /** `instant|account|post` of the oldest post that is held. */
  after: string;
  /** Whether orders are missing too. */
  hasOlderOrders: boolean;
}

/** Undefined when every post of the account is held. */
export async function findOlderPosts(
  store: StoreReader,
  igId: string,
): Promise<OlderPosts | undefined> {
  for (const shown of await listShown(store)) {
    const { scope, generation, more } = shown;
    if (more?.['post'] === undefined) continue;
    const accounts = await listRowsOf(store, 'account', { foundBy: accountKey('account', igId) });
    for (const { accountId } of accounts) {
      const after = await findOlderBound(store, shown, accountId);
      const hasOlderOrders = more['order'] !== undefined;
      if (after !== ALL_HELD) return { scope, generation, accountId, after, hasOlderOrders };
    }
  }
  return undefined;
}

/** The key behind which an account's posts are not held; `ALL_HELD`: they all are. */
export async function findOlderBound(
  store: StoreReader,
  { scope, more }: ShownScope,
  accountId: string,
): Promise<string> {
  const fetched = await store.getMeta(olderKey(scope, accountId));
  return typeof fetched === 'string' ? fetched : (more?.['post'] ?? ALL_HELD);
}

export const findLocalOlderPosts = (
  db: LocalDatabase,
  igId: string,
): Promise<OlderPosts | undefined> => readLocal(db, (store) => findOlderPosts(store, igId));

/** The bound of an account whose posts are held to the very first. */
const ALL_HELD = '';

/** Remembers how far back an account's posts are held now; undefined: to the very first. */
export const keepOlderBound = (
  tx: StoreWriter,
  { scope, accountId }: Pick<OlderPosts, 'scope' | 'accountId'>,
  after: string | undefined,
): Promise<void> => tx.putMeta(olderKey(scope, accountId), after ?? ALL_HELD);

/** The instant of the oldest post up to which nothing is missing. */
export const boundInstant = ({ after }: OlderPosts): string => after.split('|')[0] ?? '';

/** The instant of the oldest post up to which none of any account is missing; undefined: all are held. */
export async function heldFrom(store: StoreReader): Promise<string | undefined> {
  const bounds = (await listShown(store)).flatMap(
    ({ more }) => more?.['post']?.split('|')[0] ?? [],
  );
  return bounds.toSorted().at(-1);
}

export const findLocalHeldFrom = (db: LocalDatabase): Promise<string | undefined> =>
  readLocal(db, heldFrom);
