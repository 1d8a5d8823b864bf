import type { BulkChange } from '#shared/contract/accounts/bulk.ts';
import type { ErrorCode } from '#shared/contract/error-code.ts';
import { BEGUN_LIMIT } from '#shared/domain/accounts/bulk.ts';
import { getPlan, type Plan } from '#shared/domain/money/plans.ts';
import { isUnended } from '#shared/domain/money/subscription-state.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db, Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { isWithinLimit, refuseWhileFull } from '#server/identity/limits/rate-limit.ts';
import { type AccountRow, findAccount } from '#server/network/accounts/account.repository.ts';
import { notConnected } from '#server/network/accounts/account-refusals.ts';
import { countLookUpOfMany } from '#server/network/accounts/look-up-account.ts';
import { findShare } from '#server/network/allowance/paying.repository.ts';
import { openBudgets } from '#server/money/budgets/planned-purchases.ts';
import { findCard } from '#server/money/cards/card.repository.ts';
import { isCardDisputed } from '#server/money/cards/disputed-card.repository.ts';
import { cardDisputed } from '#server/money/charges/payment-error.ts';
import { refuseMoreReturns } from '#server/money/charges/return-limits.ts';
import {
  checkFirstPlan,
  openFirstPlan,
  readBaseline,
} from '#server/money/checkout/first-plan.service.ts';
import { collectCharge, resumeCharge } from '#server/money/settlement/collect-charge.service.ts';
import {
  listSubscriptions,
  type SubscriptionRow,
} from '#server/money/subscriptions/subscription.repository.ts';
import type { Applied } from './apply-change.service.ts';
import type { ItemClaim, NewItem, OperationKey } from './bulk.repository.ts';
import { holdItem } from './claimed-items.repository.ts';
import { overtaken, paidFor, priceIsNow, refuseDeclinedCard, unbegunOf } from './pay-item.ts';
import { listBegun } from './planned-items.repository.ts';

/*
 * First plans of many accounts (docs/decisions/0056-first-plans-in-bulk.md).
 *
 *   planned ──started──> waiting ──account read──> charge written ──┬─ paid ─────────> done: the plan runs
 *      │                  │    ^         │                          ├─ declined ─────> failed
 *      │                  │    └ no share of the network left,      └─ nobody knows ─> looked at again
 *      │                  │      or fifty were read this minute
 *      └─ refused         └─ plan, card, price or account isn't as it was seen, or a budget is reached: failed
 *
 * Invariants: no reading, no charge. The charge has the item's id, so there is one at most. What is charged is what was
 * shown, on the card that was saved then. Whoever began a plan meanwhile wins.
 */

type BeginChange = Extract<BulkChange, { kind: 'begin' }>;
type Planned = Pick<NewItem, 'outcome'> & Partial<NewItem>;

/** What whoever begins a plan sees: the plan that has ended last, and the card that is to pay. */
const seenBefore = (newest: SubscriptionRow | undefined, cardId: string): string =>
  JSON.stringify([newest?.id ?? null, cardId]);

/** Plans which accounts of a page get a plan, as far as that is known without asking the network. */
export async function createBeginPlan(
  deps: Pick<Deps, 'clock' | 'settings'>,
  tx: Tx,
  page: { key: OperationKey; from: number; accounts: readonly AccountRow[]; now: Date },
): Promise<
  (
    account: AccountRow,
    newest: SubscriptionRow | undefined,
    change: Omit<BeginChange, 'kind'>,
  ) => Promise<Planned>
> {
  const { key, from, accounts, now } = page;
  const { workspaceId } = key;
  const inTx = { ...deps, database: { db: tx } };
  const coming = await listBegun(tx, key, from);
  let begun = coming.length;
  const card = await findCard(tx, workspaceId);
  const isDisputed = card && (await isCardDisputed(tx, deps, { ...card, workspaceId }));
  const room = await openBudgets(tx, {
    workspaceId,
    coming,
    accounts: accounts.map(({ id, client_id }) => ({ accountId: id, clientId: client_id })),
    now,
  });
  return async (account, newest, { packageIndex, timeZone }) => {
    if (!card) throw noCard();
    if (isDisputed) throw cardDisputed();
    if (begun >= BEGUN_LIMIT) {
      throw new ApiError('invalid_input', `Please start at most ${BEGUN_LIMIT} plans at once.`);
    }
    refuseUnread(account);
    await checkFirstPlan(inTx, account);
    const { priceCents: amountCents } = getPlan(packageIndex);
    const { id: accountId, client_id: clientId } = account;
    const tooMuch = room({ accountId, clientId, amountCents });
    if (tooMuch !== undefined) throw new ApiError('budget_reached', tooMuch);
    begun += 1;
    return {
      outcome: 'planned',
      change: { kind: 'begin', packageIndex, timeZone },
      seen: seenBefore(newest, card.id),
      today_cents: amountCents,
      month_cents: amountCents,
    };
  };
}

function noCard(): ApiError {
  return new ApiError(
    'not_found',
    'There is no saved card yet. Save one under Billing, or choose the first plan on the account’s own page.',
  );
}

/** Its checkout looks anew; here nobody waits for each of them. */
function refuseUnread({ ig_username: igUsername, ig_id: igId, problem }: AccountRow): void {
  if (igId !== null && problem === null) return;
  throw new ApiError(
    'account_unreadable',
    `We haven’t been able to read @${igUsername} on Instagram yet. Choose its plan on the account’s own page, and we’ll try again there.`,
  );
}

/**
 * Begins a plan through the door of its checkout.
 * @throws ApiError nothing was charged; `rate_limited` or `network_throttled`: not now
 */
export async function applyBegin(
  deps: Deps,
  item: ItemClaim,
  { packageIndex, timeZone }: BeginChange,
): Promise<Applied> {
  const { workspace_id: workspaceId, attempt_id: chargeId } = item;
  const { db } = deps.database;
  const plan = getPlan(packageIndex);
  if (plan.priceCents !== item.today_cents) throw priceIsNow(plan.priceCents);
  const account = await getAccount(db, item);
  const cardId = await checkSeen(db, item, account);
  await checkFirstPlan(deps, account);
  await refuseDeclinedCard(deps, item);
  const person = { workspaceId, userId: item.startedBy };
  await refuseMoreReturns(deps, { ...person, attemptId: chargeId, isAbsent: true });
  await refuseWhileFull(deps, unbegunOf(item));
  await countLookUpOfMany(deps, workspaceId);
  const isUnpaid = (await findShare(db, workspaceId)) === 'unpaid';
  const { claim } = await readAndOpen(deps, item, { plan, account, cardId, timeZone }).catch(
    async (error: unknown) => {
      const isRead = error instanceof ApiError && !UNREAD.has(error.code);
      if (isUnpaid && isRead) await isWithinLimit(deps, unbegunOf(item));
      throw error;
    },
  );
  const settlement = claim
    ? await collectCharge(deps, claim)
    : await resumeCharge(deps, { workspaceId, chargeId });
  return paidFor(deps, item, settlement);
}

/** The network says nothing of the account. */
const UNREAD: ReadonlySet<ErrorCode> = new Set(['network_throttled', 'network_unreachable']);

async function readAndOpen(
  deps: Deps,
  item: ItemClaim,
  wanted: { plan: Plan; account: AccountRow; cardId: string; timeZone: string },
): ReturnType<typeof openFirstPlan> {
  const { workspace_id: workspaceId, startedBy: userId, attempt_id: attemptId } = item;
  const { account, cardId, ...plan } = wanted;
  // A single checkout may use all of the network's allowance; of many at once detection keeps its part.
  const baseline = await readBaseline(deps, account, 'paying');
  const card = { kind: 'saved', id: cardId } as const;
  const check = async (tx: Tx): Promise<void> => {
    await holdItem(tx, item);
    await checkSeen(tx, item, account);
  };
  const attempt = { workspaceId, userId, attemptId, isAbsent: true };
  return openFirstPlan(deps, attempt, { ...plan, account, baseline, card, check });
}

async function getAccount(db: Db, item: ItemClaim): Promise<AccountRow> {
  const { workspace_id: workspaceId, account_id: accountId, ig_username } = item;
  const account = accountId === null ? undefined : await findAccount(db, workspaceId, accountId);
  if (!account || account.removed_at !== null) throw notConnected(ig_username);
  return account;
}

/** @returns the card that pays @throws ApiError `overtaken`: somebody began a plan since, or replaced the card */
async function checkSeen(
  db: Db,
  item: ItemClaim,
  { id, workspace_id }: AccountRow,
): Promise<string> {
  const [newest] = await listSubscriptions(db, workspace_id, [id]);
  const card = await findCard(db, workspace_id);
  if (newest && isUnended(newest.state)) throw overtaken(item.ig_username);
  if (card && seenBefore(newest, card.id) === item.seen) return card.id;
  if (newest && !item.seen?.includes(newest.id)) throw overtaken(item.ig_username);
  throw new ApiError(
    'overtaken',
    'Your saved card was replaced after you checked these changes. You were not charged. Please check them again.',
  );
}
