import type { BulkChange } from '#shared/contract/accounts/bulk.ts';
import type { AccountId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { type AccountRow, findAccount } from '#server/network/accounts/account.repository.ts';
import { notConnected } from '#server/network/accounts/account-refusals.ts';
import type { ClientRow } from '#server/network/clients/client.repository.ts';
import { getClient } from '#server/network/clients/clients.service.ts';
import { openRoom } from '#server/money/budgets/client-budget.service.ts';
import { giveToClient, refuseArchived } from '../clients/accounts-of-clients.service.ts';
import type { Applied } from './apply-change.service.ts';
import type { ItemClaim, NewItem, OperationKey } from './bulk.repository.ts';
import { listComing } from './planned-items.repository.ts';

type ClientChange = Extract<BulkChange, { kind: 'client' }>;
type Planned = Pick<NewItem, 'outcome'> & Partial<NewItem>;

/** A client that accounts of a page are to go to, and what its budget says of each. */
interface Target {
  client: ClientRow;
  room: (accountId: AccountId) => string | undefined;
}

/** Plans to whom accounts of a page go; each client is read once. */
export function createClientPlan(
  tx: Tx,
  page: { key: OperationKey; from: number; accountIds: readonly AccountId[]; now: Date },
): (account: AccountRow, change: ClientChange) => Promise<Planned> {
  const { key, from, accountIds, now } = page;
  const { workspaceId } = key;
  const targets = new Map<string, Promise<Target>>();
  const read = async (wanted: string): Promise<Target> => {
    const client = await getClient(tx, workspaceId, wanted);
    const clientId = client.id;
    const coming = await listComing(tx, key, { clientId, before: from });
    return {
      client,
      room: await openRoom(tx, { workspaceId, clientId, coming, accountIds, now }),
    };
  };
  return async (account, { clientId }) => {
    if (clientId === null) {
      const change = { kind: 'client', clientId: null } as const;
      return { outcome: account.client_id === null ? 'same' : 'planned', change };
    }
    const id = clientId.toLowerCase();
    const known = targets.get(id) ?? read(id);
    targets.set(id, known);
    const { client, room } = await known;
    const change = { kind: 'client', clientId: client.id, clientName: client.name } as const;
    if (account.client_id === client.id) return { outcome: 'same', change };
    refuseArchived(client);
    const tooLow = room(account.id);
    if (tooLow !== undefined) throw new ApiError('budget_reached', tooLow);
    return { outcome: 'planned', change };
  };
}

/**
 * Gives an account to a client, unless somebody else has given it to another since it was looked at.
 * @throws ApiError it can't be done, and nothing was changed
 */
export function applyClient(
  deps: Deps,
  item: ItemClaim,
  { clientId }: ClientChange,
): Promise<Applied> {
  const { workspace_id: workspaceId, account_id: accountId, startedBy: actor, isUndo } = item;
  const now = new Date(deps.clock.now());
  return deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    const account = accountId === null ? undefined : await findAccount(tx, workspaceId, accountId);
    if (!account || account.removed_at !== null) throw notConnected(item.ig_username);
    const before = account.client_id;
    const done = { kind: 'done', chargedCents: 0, leftAs: clientId } as const;
    // Done already, by this item before its worker died, or by somebody else: nothing to take back.
    if (before === clientId) return { ...done, undo: null };
    if (before !== item.seen) throw overtaken(item);
    const client = clientId === null ? null : await getClient(tx, workspaceId, clientId);
    await giveToClient(tx, { workspaceId, accounts: [account], client, isBack: isUndo, now });
    const action = 'client_of_account_changed';
    await appendAudit(tx, { workspaceId, actor, action, subject: account.id, now });
    return { ...done, undo: { kind: 'client', clientId: before } };
  });
}

function overtaken({ ig_username: igUsername }: ItemClaim): ApiError {
  return new ApiError(
    'overtaken',
    `The client of @${igUsername} changed after you checked these changes, so it was left as it is now.`,
  );
}
