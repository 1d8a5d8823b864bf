import { createHmac } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { DAY_MS } from '#shared/domain/durations.ts';
import type { IgId, WorkspaceId } from '#shared/domain/ids.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { SubscriptionRow } from './subscription.repository.ts';
import type { RefundRequestAccountTable } from '#server/kit/db/tables/subscription-work.table.ts';
import type { SubscriptionKey } from './subscription-work.repository.ts';
import { moneyBackUntil } from './subscription-clock.ts';

/** Names a network account for good without telling which it is. */
export function hashNetworkAccount({ settings }: Pick<Deps, 'settings'>, igId: IgId): string {
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
const wasTaken = sql<boolean>`exists (select from refund_request m
  where m.workspace_id = refund_request_account.workspace_id
    and m.subscription_id = refund_request_account.subscription_id)`;

/**
 * Takes the one money-back of each network account a subscription has served; false when one of them was
 * taken before, by anybody: then the transaction must not be committed. One that was freed for who has
 * shown that the account is theirs can be taken by them once more; where it had been given up by a plan
 * they displaced, instead of taken, it is free for that one's customer from then on.
 */
export async function claimRefundRights(
  tx: Tx,
  deps: Pick<Deps, 'settings'>,
  row: SubscriptionRow,
): Promise<boolean> {
  const served = hashServedAccounts(deps, row);
  const claimed = await tx
    .insertInto('refund_request_account')
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
          freed_for: sql`case when ${wasTaken} then refund_request_account.freed_for
            else refund_request_account.workspace_id end`,
          retaken: wasTaken,
        })
        .where('refund_request_account.freed_for', '=', row.workspace_id)
        .where('refund_request_account.retaken', '=', false),
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
    .selectFrom('refund_request_account')
    .selectAll()
    .where('account_hash', '=', sql<string>`any(${asked}::text[])`)
    .execute();
  const isTaken = (workspaceId: WorkspaceId, hashes: readonly string[]): boolean =>
    taken.some((row) => hashes.includes(row.account_hash) && !isFreeFor(row, workspaceId));
  return new Set(served.filter((row) => isTaken(row.workspaceId, row.hashes)).map(({ id }) => id));
}

function isFreeFor(
  row: Pick<Selectable<RefundRequestAccountTable>, 'freed_for' | 'retaken'>,
  workspaceId: WorkspaceId,
): boolean {
  return row.freed_for === workspaceId && !row.retaken;
}

/** Whether somebody else took the money-back of a network account, and nobody has shown that it is theirs. */
export async function isRefundRightUsedByOthers(
  db: Db,
  deps: Pick<Deps, 'settings'>,
  { workspaceId, igId }: { workspaceId: WorkspaceId; igId: IgId },
): Promise<boolean> {
  const row = await db
    .selectFrom('refund_request_account')
    .select('account_hash')
    .where('account_hash', '=', hashNetworkAccount(deps, igId))
    .where('workspace_id', '<>', workspaceId)
    .where('freed_for', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** A displaced plan has no money-back while another may take it: it is whose the account was shown to be. */
export async function forfeitRefundRight(
  tx: Tx,
  accountHash: string,
  displaced: Pick<SubscriptionRow, 'workspace_id' | 'id'>,
): Promise<void> {
  await tx
    .insertInto('refund_request_account')
    .values({
      account_hash: accountHash,
      workspace_id: displaced.workspace_id,
      subscription_id: displaced.id,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Frees the money-back that somebody else took, for who has shown that the account is theirs: once ever. */
export async function freeRefundRight(
  tx: Tx,
  accountHash: string,
  workspaceId: WorkspaceId,
): Promise<void> {
  await tx
    .updateTable('refund_request_account')
    .set({ freed_for: workspaceId })
    .where('account_hash', '=', accountHash)
    .where('workspace_id', '<>', workspaceId)
    .where('freed_for', 'is', null)
    .execute();
}

/** Keyed hashes of the cards a subscription was charged to; a card without fingerprint has none. */
async function hashChargedCards(
  db: Db,
  { settings }: Pick<Deps, 'settings'>,
  { workspaceId, subscriptionId }: SubscriptionKey,
): Promise<string[]> {
  const { rows } = await sql<{ fingerprint: string }>`
    select distinct k.fingerprint from invoice i
    join charge c on c.workspace_id = i.workspace_id and c.invoice_id = i.id and c.state = 'succeeded'
    join card k on k.workspace_id = c.workspace_id and k.id = c.card_id
    where i.workspace_id = ${workspaceId} and i.subscription_id = ${subscriptionId}
      and k.fingerprint is not null`.execute(db);
  return rows
    .map(({ fingerprint }) =>
      createHmac('sha256', settings.appSecret)
        .update(`money-back-card:${fingerprint}`)
        .digest('base64url'),
    )
    .toSorted();
}

/** Whether none of its cards has had the free likes of a money back. */
export async function hasFreeLikes(
  db: Db,
  deps: Pick<Deps, 'settings'>,
  key: SubscriptionKey,
): Promise<boolean> {
  const hashes = await hashChargedCards(db, deps, key);
  if (hashes.length === 0) return true;
  const taken = await db
    .selectFrom('refund_request_card')
    .select('card_hash')
    .where('card_hash', 'in', hashes)
    .limit(1)
    .executeTakeFirst();
  return taken === undefined;
}

/** Takes the free likes of the cards a subscription was charged to. @returns whether they were all free */
export async function claimFreeLikes(
  tx: Tx,
  deps: Pick<Deps, 'settings'>,
  key: SubscriptionKey,
): Promise<boolean> {
  const hashes = await hashChargedCards(tx, deps, key);
  if (hashes.length === 0) return true;
  const { workspaceId: workspace_id, subscriptionId: subscription_id } = key;
  const claimed = await tx
    .insertInto('refund_request_card')
    .values(hashes.map((card_hash) => ({ card_hash, workspace_id, subscription_id })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('card_hash')
    .execute();
  return claimed.length === hashes.length;
}

type Rival = Pick<
  SubscriptionRow,
  | 'workspace_id'
  | 'id'
  | 'ig_id'
  | 'past_account_hashes'
  | 'created_at'
  | 'moved_at'
  | 'time_zone'
  | 'disputed_days'
>;

/** Longer than the 30 local days of any time zone. */
const WINDOW_MS = 32 * DAY_MS;

/**
 * Whether somebody else's plan served one of a plan's network accounts before it and can still ask for
 * its money: the one money-back of an account is the first plan's for as long as that has it. Ask before
 * this plan has claimed it.
 */
export async function hasEarlierRefundRight(
  db: Db,
  deps: Pick<Deps, 'settings'>,
  row: SubscriptionRow,
  now: Date,
): Promise<boolean> {
  const own = servedSince(deps, row);
  const rivals = await listRivals(db, row, { hashes: Array.from(own.keys()), now });
  const earlier = rivals.filter(
    (rival) =>
      now <= moneyBackUntil(rival) &&
      Array.from(servedSince(deps, rival)).some(([hash, since]) => since < (own.get(hash) ?? 0)),
  );
  const returned = await listMoneyReturned(db, deps, earlier);
  return earlier.some(({ id }) => !returned.has(id));
}

async function listRivals(
  db: Db,
  { workspace_id: workspaceId }: SubscriptionRow,
  { hashes, now }: { hashes: string[]; now: Date },
): Promise<Rival[]> {
  const { rows } = await sql<Rival>`
    select workspace_id, id, ig_id, past_account_hashes, created_at, moved_at, time_zone,
      disputed_days
    from subscription
    where workspace_id <> ${workspaceId} 
      and created_at + disputed_days * interval '1 day' > ${new Date(now.getTime() - WINDOW_MS)}
      and (ig_id in (select ig_id from account where workspace_id = ${workspaceId})
        or past_account_hashes && ${hashes}::text[])
  `.execute(db);
  return rows;
}

/**
 * Since when a plan serves or served each network account. Of a plan moved more than once only the last
 * move is known: it counts for all, so that nobody gets in front by moving through.
 */
function servedSince(deps: Pick<Deps, 'settings'>, row: Rival): Map<string, number> {
  const { past_account_hashes: past, created_at: createdAt, moved_at: movedAt } = row;
  const latest = (movedAt ?? createdAt).getTime();
  const pastSince = past.length === 1 ? createdAt.getTime() : latest;
  return new Map([
    ...hashServedAccounts(deps, row).map((hash) => [hash, pastSince] as const),
    [hashNetworkAccount(deps, row.ig_id), latest] as const,
  ]);
}
