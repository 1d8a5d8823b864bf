import { findOlderBound, keepOlderBound, type OlderPosts } from './older-posts.ts';
import { applyRows, type RowChange } from '../store/apply-rows.ts';
import { findScope } from '../store/scope-state.ts';
import type { SyncStore } from '../store/sync-store.ts';
import type { SyncNetwork } from '../network/sync-network.ts';

/** Enough for some minutes of scrolling, and applied in one short transaction. */
const PAGE_POSTS = 500;

/**
 * Fetches the next older posts of an account into the replica; false when the server wasn't reached. It
 * may run in any tab: a row never replaces a newer one.
 */
export async function fetchOlderPosts(
  { network, store }: { network: Pick<SyncNetwork, 'snapshot'>; store: SyncStore },
  older: OlderPosts,
  signal: AbortSignal,
): Promise<boolean> {
  const { scope, accountId, after, hasOlderOrders } = older;
  const answered = await network.snapshot(
    {
      scope,
      entities: hasOlderOrders ? ['post', 'order'] : ['post'],
      account: accountId,
      after,
      limit: PAGE_POSTS,
    },
    signal,
  );
  if (answered.kind !== 'ok') return false;
  const changes = new Map<string, RowChange[]>();
  for await (const lines of answered.value) {
    for (const line of lines) {
      if (line.kind === 'chunk') {
        const rows = line.rows.map(([id, v, row]) => ({ id, v, row }));
        changes.set(line.entity, [...(changes.get(line.entity) ?? []), ...rows]);
      } else if (line.kind === 'end') {
        await keep(store, older, changes, line.more.post);
        return true;
      }
    }
  }
  return false;
}

async function keep(
  store: SyncStore,
  older: OlderPosts,
  changes: ReadonlyMap<string, readonly RowChange[]>,
  after: string | undefined,
): Promise<void> {
  const { scope, generation } = older;
  await store.write(async (tx) => {
    const state = await findScope(tx, scope);
    // Read anew meanwhile: the new generation has a bound of its own.
    if (state?.generation !== generation) return;
    // Room was made, or another tab was quicker: these would no longer join on to what is held.
    if ((await findOlderBound(tx, state, older.accountId)) !== older.after) return;
    for (const [entity, rows] of changes) await applyRows(tx, { scope, entity, generation }, rows);
    await keepOlderBound(tx, older, after);
  });
}
