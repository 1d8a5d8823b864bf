import { createHmac } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import type { MoneyBackAccountTable } from './subscription-work.table.ts';

/** Names a network account for good without telling which it is. */
export function hashNetworkAccount({ settings }: Pick<Deps, 'settings'>, igId: string): string {
  return createHmac('sha256', settings.appSecret).update(`money-back:${igId}`).digest('base64url');
}

type Served = Pick<SubscriptionRow, 'ig_id' | 'past_account_hashes'>;

/**
 * Every network account a subscription has served, those included it was moved away from. Kept for ever,
 * also after its customer has left, so none may tell which account it is.
 */
export function hashServedAccounts(
  { settings }: Pick<Deps, 'settings'>,
  { ig_id: igId, past_account_hashes: past }: Served,
): string[] {
  const current = hashNetworkAccount({ settings }, igId);
  // In one order for all: two plans that served the same accounts wait for each other, not in a circle.
  return Array.from(new Set([...past, current])).toSorted();
}

/** Money went back for it, as it stands before its change. */
const wasTaken = sql<boolean>`exists (select from money_back m
  where m.workspace_id = money_back_account.workspace_id
    and m.subscription_id = money_back_account.subscription_id)`;

/**
 * Takes the one money-back of each network account a subscription has served; false when one of them was
 * taken before, by anybody: then the transaction must not be committed. One that was freed for who has
 * shown that the account is theirs can be taken by them once more; where it had been given up by a plan
 * they displaced, instead of taken, it is free for that one's customer from then on.
 */
export async function claimMoneyBackAccounts(
  tx: Tx,
  deps: Pick<Deps, 'settings'>,
  row: SubscriptionRow,
): Promise<boolean> {
  const served = hashServedAccounts(deps, row);
  const claimed = await tx
    .insertInto('money_back_account')
    .values(
      served.map((hash) => ({
        account_hash: hash,
        workspace_id: row.workspace_id,
        subscription_id: row.id,
      })),
    )
    .onConflict((conflict) =>
      conflict
        .column('account_hash')
        .doUpdateSet({
          workspace_id: row.workspace_id,
          subscription_id: row.id,
          freed_for: sql`case when ${wasTaken} then money_back_account.freed_for
            else money_back_account.workspace_id end`,
          retaken: wasTaken,
        })
        .where('money_back_account.freed_for', '=', row.workspace_id)
        .where('money_back_account.retaken', '=', false),
    )
    .returning('account_hash')
    .execute();
  return claimed.length === served.length;
}

/** Ids of those subscriptions that have served an account which has had its one money-back, from anybody. */
export async function listMoneyReturned(
  db: Db,
  deps: Pick<Deps, 'settings'>,
  rows: ReadonlyArray<Served & Pick<SubscriptionRow, 'id' | 'workspace_id'>>,
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const served = rows.map((row) => ({
    id: row.id,
    workspaceId: row.workspace_id,
    hashes: hashServedAccounts(deps, row),
  }));
  const asked = Array.from(new Set(served.flatMap(({ hashes }) => hashes)));
  const taken = await db
    .selectFrom('money_back_account')
    .selectAll()
    .where('account_hash', '=', sql<string>`any(${asked}::text[])`)
    .execute();
  const isTaken = (workspaceId: string, hashes: readonly string[]): boolean =>
    taken.some((row) => hashes.includes(row.account_hash) && !isFreeFor(row, workspaceId));
  return new Set(served.filter((row) => isTaken(row.workspaceId, row.hashes)).map(({ id }) => id));
}

function isFreeFor(
  row: Pick<Selectable<MoneyBackAccountTable>, 'freed_for' | 'retaken'>,
  workspaceId: string,
): boolean {
  return row.freed_for === workspaceId && !row.retaken;
}

/** Whether somebody else took the money-back of a network account, and nobody has shown that it is theirs. */
export async function isMoneyBackUsedByOthers(
  db: Db,
  deps: Pick<Deps, 'settings'>,
  { workspaceId, igId }: { workspaceId: string; igId: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('money_back_account')
    .select('account_hash')
    .where('account_hash', '=', hashNetworkAccount(deps, igId))
    .where('workspace_id', '<>', workspaceId)
    .where('freed_for', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** A displaced plan has no money-back while another may take it: it is whose the account was shown to be. */
export async function forfeitMoneyBack(
  tx: Tx,
  accountHash: string,
  displaced: Pick<SubscriptionRow, 'workspace_id' | 'id'>,
): Promise<void> {
  await tx
    .insertInto('money_back_account')
    .values({
      account_hash: accountHash,
      workspace_id: displaced.workspace_id,
      subscription_id: displaced.id,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Frees the money-back that somebody else took, for who has shown that the account is theirs: once ever. */
export async function freeMoneyBack(
  tx: Tx,
  accountHash: string,
  workspaceId: string,
): Promise<void> {
  await tx
    .updateTable('money_back_account')
    .set({ freed_for: workspaceId })
    .where('account_hash', '=', accountHash)
    .where('workspace_id', '<>', workspaceId)
    .where('freed_for', 'is', null)
    .execute();
}
