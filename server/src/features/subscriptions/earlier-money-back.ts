import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import type { SubscriptionRow } from '../billing/subscription.repository.ts';
import {
  hashNetworkAccount,
  hashServedAccounts,
  listMoneyReturned,
} from './money-back-account.repository.ts';
import { DAY_MS, moneyBackUntil } from './subscription-clock.ts';

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
export async function hasEarlierMoneyBack(
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
