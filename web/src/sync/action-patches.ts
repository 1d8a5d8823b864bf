import { postKey } from '#shared/sync/entities.ts';
import { scopeKind, type Scope } from '#shared/sync/scope.ts';
import type { Row } from '../local-db/chunk.ts';
import type { Patch } from '../local-db/patch.ts';
import { findPostRow, findRow, listRows } from '../local-db/read-rows.ts';
import { listScopes } from '../local-db/scope-state.ts';
import type { StoreReader } from '../local-db/sync-store.ts';
import type { Action } from './action.ts';

type Change = Omit<Patch, 'itemId'>;

/** What an action changes for the eye at once. Rows that aren't here are left alone. */
export async function patchesOf(store: StoreReader, action: Action): Promise<Change[]> {
  switch (action.name) {
    case 'orderLikes':
      return orderPatches(store, action.args.postId, action.args.likes);
    case 'saveDeliverySettings': {
      const { igId, settings } = action.args;
      const accountId = await findAccountId(store, igId);
      if (accountId === undefined) return [];
      return [
        {
          entity: 'account',
          id: accountId,
          change: { kind: 'set', fields: { delivery: settings } },
        },
        {
          entity: 'deliverySettings',
          id: accountId,
          change: { kind: 'set', fields: { settings } },
        },
      ];
    }
    case 'switchAccount':
      return preferencePatches(store, { activeAccountId: action.args.accountId });
    case 'setPreferences':
      return preferencePatches(store, action.args);
    default:
      return action satisfies never;
  }
}

async function orderPatches(store: StoreReader, postId: string, likes: number): Promise<Change[]> {
  const post = await findPostRow(store, postId);
  const wallets = (await listScopes(store)).filter(
    ({ scope }) => scopeKind(scope as Scope) === 'b',
  );
  const spent: Change[] = wallets.map(({ scope }) => ({
    entity: 'wallet',
    id: scope.slice(2),
    change: { kind: 'add', fields: { credits: -likes } },
  }));
  if (!post) return spent;
  const id = postKey(String(post['accountId']), postId);
  const bought: Change = {
    entity: 'post',
    id,
    change: { kind: 'add', fields: { totalLikesPurchased: likes } },
  };
  return [...spent, bought];
}

async function preferencePatches(store: StoreReader, changed: Row): Promise<Change[]> {
  const patches: Change[] = [];
  for (const { scope } of await listScopes(store)) {
    if (scopeKind(scope as Scope) !== 'u') continue;
    const id = scope.slice(2);
    const before = (await findRow(store, 'user', id))?.['preferences'];
    if (typeof before !== 'object' || before === null) continue;
    const preferences = { ...before, ...changed };
    patches.push({ entity: 'user', id, change: { kind: 'set', fields: { preferences } } });
  }
  return patches;
}

/** The id of the connected account with this network id; undefined when it isn't here. */
export async function findAccountId(store: StoreReader, igId: string): Promise<string | undefined> {
  const accounts = await listRows(store, 'account');
  const accountId = accounts.find((account) => account['igId'] === igId)?.['accountId'];
  return typeof accountId === 'string' ? accountId : undefined;
}
