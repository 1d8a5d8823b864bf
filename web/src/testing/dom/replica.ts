import type { User } from '#shared/contract/people/user.ts';
import {
  type AccountChange,
  type EntityName,
  type EntityRow,
  type PostChange,
  type UserChange,
} from '#shared/sync/entities.ts';
import { postKey, type Scope, scopeKind } from '#shared/contract/scope.ts';
import { SCOPE_ENTITIES } from '#shared/sync/scope-entities.ts';
import { applyWireRows, moveCursor } from '#web/replica/engine/pull-scopes.ts';
import { applyRows } from '#web/replica/store/apply-rows.ts';
import { createDexieStore, LocalDatabase } from '#web/replica/store/local-database.ts';
import { findScope, putCursor, putScope } from '#web/replica/store/scope-state.ts';
import { postExample } from '../examples.ts';

/** Rows of a replica beside those of the customer, by entity. */
export type Rows = { [Entity in EntityName]?: Array<EntityRow<Entity>> };

/** The id of a customer's nth account in the replica. */
export const accountIdOf = (nth: number): string => `0192d3c0-0000-7000-8000-0000000000a${nth + 1}`;

/** A post as the replica has it. */
export const postRow = (
  changes: Parameters<typeof postExample>[0] = {},
  nthAccount = 0,
): PostChange => ({
  ...postExample(changes),
  accountId: accountIdOf(nthAccount),
  listPosition: 0,
});

/** Writes a whole replica, as a first reading leaves it; of the devices in it the first is this one. */
export async function plantReplica(user: User, rows: Rows): Promise<void> {
  const db = new LocalDatabase(user.id);
  const all: Rows = { ...customerRows(user), ...rows };
  await createDexieStore(db).write(async (tx) => {
    await tx.putMeta('session', { sessionId: rows.device?.[0]?.id });
    for (const [kind, entities] of Object.entries(SCOPE_ENTITIES)) {
      const scope = `${kind}:${user.id}`;
      await putScope(tx, { scope, generation: 1, complete: [...entities], loading: null });
      await putCursor(tx, scope, 1);
      for (const entity of entities) {
        const held = (all[entity] ?? []) as Array<Record<string, unknown>>;
        const changes = held.map((row) => ({ id: idOf(entity, row, user), v: 1, row }));
        await applyRows(tx, { scope, entity, generation: 1 }, changes);
      }
    }
  });
  db.close();
}

function customerRows(user: User): Rows {
  const accounts = user.connectedAccounts.map((account, nth): AccountChange => ({
    ...account,
    accountId: accountIdOf(nth),
    connectedAt: `2026-11-21T09:0${nth}:00.000Z`,
  }));
  const wallet = { credits: user.credits, lockedBonus: 0, billingInfo: user.billingInfo };
  return { account: accounts, user: [personRow(user)], wallet: [wallet] };
}

/** Who a customer is, as their replica has it. */
export function personRow(user: User): UserChange {
  const { id, name, email, phone, timeZone, inSubscription, isDemoData, membership } = user;
  return {
    id,
    name,
    email,
    phone,
    timeZone,
    inSubscription,
    isDemoData,
    ...(membership && { membership }),
    package: user.package,
    defaultAccountId: user.connectedAccounts.length > 0 ? accountIdOf(0) : null,
    preferences: { density: 'comfortable', activeAccountId: null, pinnedAccountIds: [] },
  };
}

/**
 * What the server says of a scope at a version reaches the replica, as one page of a pull: the first account, the
 * person or the wallet.
 */
export async function pull(
  db: LocalDatabase,
  scope: Scope,
  to: number,
  row?: object,
): Promise<void> {
  const id = scope.slice(2);
  const entities = { w: ['account', accountIdOf(0)], u: ['user', id], b: ['wallet', id] } as const;
  const [entity, rowId] = entities[scopeKind(scope)];
  await createDexieStore(db).write(async (tx) => {
    const held = await findScope(tx, scope);
    if (held && row) await applyWireRows(tx, held, [[entity, rowId, to, { ...row }]]);
    await moveCursor(tx, scope, to);
  });
}

function idOf(entity: EntityName, row: Record<string, unknown>, user: User): string {
  if (entity === 'wallet') return user.id;
  if (entity === 'post') return postKey(String(row['accountId']), String(row['id']));
  return String(row['id'] ?? row['accountId']);
}
