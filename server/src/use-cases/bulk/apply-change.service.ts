import type { BulkChange } from '#shared/contract/accounts/bulk.ts';
import { changeTags } from '#shared/domain/accounts/account-tags.ts';
import { dayOf } from '#shared/domain/money/day-use.ts';
import type { AccountId } from '#shared/domain/ids.ts';
import { centsFromDollars } from '#shared/domain/money/money.ts';
import { isUnended } from '#shared/domain/money/subscription-state.ts';
import type { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { findAccount } from '#server/network/accounts/account.repository.ts';
import { notConnected } from '#server/network/accounts/account-refusals.ts';
import { tagAccounts } from '#server/network/accounts/tag-accounts.service.ts';
import {
  type AccountName,
  cancelSubscription,
} from '#server/money/cancellation/cancellation.service.ts';
import { pauseSubscription, resume } from '#server/money/cancellation/pause.service.ts';
import { collectCharge } from '#server/money/settlement/collect-charge.service.ts';
import { keepPlan, openChange } from '#server/money/plan-changes/change-plan.service.ts';
import { quotePlan } from '#server/money/plan-changes/quote.service.ts';
import { comingPlan } from '#server/money/subscriptions/subscription-clock.ts';
import type { SubscriptionRow } from '#server/money/subscriptions/subscription.repository.ts';
import { applyAdd, applyRemove } from './add-change.ts';
import { applyDelivery } from './apply-delivery.ts';
import { applyBegin } from './begin-change.ts';
import type { ItemClaim } from './bulk.repository.ts';
import { holdItem } from './claimed-items.repository.ts';
import { applyClient } from './client-change.ts';
import { newestOf, overtaken, paidFor, priceIsNow, refuseDeclinedCard } from './pay-item.ts';
import { seenPlan } from './seen-plan.ts';

/** What became of one account. What takes it back is there where nothing was charged. */
export type Applied =
  | {
      kind: 'done';
      chargedCents: number;
      undo: BulkChange | null;
      leftAs: string | null;
      /** Of an account that wasn't known before. */
      accountId?: AccountId;
    }
  /** Not decided yet; the error is what there is to say should it never be. */
  | { kind: 'open'; error: ApiError };

/**
 * Makes one change through the same doors as a page. Whoever repeats it, after a crash at whatever point, finds what
 * was done: `resumePayment` the charge of this item, and this that the account is already as it is wanted.
 * @throws ApiError it can't be made, and nothing was charged
 */
export async function applyChange(deps: Deps, item: ItemClaim): Promise<Applied> {
  if (item.change.kind === 'add') return applyAdd(deps, item);
  if (item.change.kind === 'remove') return applyRemove(deps, item);
  const account = await currentAccount(deps, item);
  if (item.change.kind === 'tags') return applyTags(deps, item, item.change);
  if (item.change.kind === 'delivery') return applyDelivery(deps, item, item.change);
  if (item.change.kind === 'client') return applyClient(deps, item, item.change);
  if (item.change.kind === 'begin') return applyBegin(deps, item, item.change);
  const name = {
    workspaceId: item.workspace_id,
    igUsername: account,
    actor: item.startedBy,
    isQuiet: true,
    check: async (row: SubscriptionRow, tx: Tx) => {
      await holdItem(tx, item);
      refuseOvertaken(item, row);
    },
  };
  if (item.change.kind === 'plan') return applyPlan(deps, item, name, item.change.packageIndex);
  const row = await newestOf(deps, item);
  if (isAsWanted(row, item.change)) return done(deps, item, row);
  await MOVES[item.change.kind](deps, name, item.change);
  return done(deps, item, row);
}

/** By whatever name it goes now. */
async function currentAccount(
  { database: { db } }: Deps,
  { workspace_id, account_id, ig_username }: ItemClaim,
): Promise<string> {
  const account = account_id === null ? undefined : await findAccount(db, workspace_id, account_id);
  if (!account || account.removed_at !== null) throw notConnected(ig_username);
  return account.ig_username;
}

type PlanMove = Extract<BulkChange, { kind: 'keepPlan' | 'pause' | 'resume' | 'cancel' }>;

const MOVES: {
  readonly [Kind in PlanMove['kind']]: (
    deps: Deps,
    name: AccountName,
    change: PlanMove,
  ) => Promise<unknown>;
} = {
  keepPlan: (deps, name) => keepPlan(deps, name),
  resume: (deps, name) => resume(deps, name),
  cancel: (deps, name) => cancelSubscription(deps, name),
  pause: (deps, name, change) =>
    pauseSubscription(deps, name, new Date(change.kind === 'pause' ? change.until : Number.NaN)),
};

function isAsWanted(row: SubscriptionRow | undefined, change: PlanMove): boolean {
  if (!row) return false;
  switch (change.kind) {
    case 'keepPlan':
      return isUnended(row.state) && row.next_package === null;
    case 'resume':
      return isUnended(row.state) && !row.pauses_at && !row.ends_at && !row.displaced_at;
    case 'cancel':
      return row.state === 'Canceled' || row.ends_at !== null;
    case 'pause':
      return (
        row.resumes_at !== null &&
        dayOf(row.resumes_at.getTime(), row.time_zone) ===
          dayOf(Date.parse(change.until), row.time_zone)
      );
    default:
      return change satisfies never;
  }
}

/** Somebody else changed the plan since it was looked at: theirs stays. */
function refuseOvertaken({ seen, ig_username }: ItemClaim, row: SubscriptionRow): void {
  if (seenPlan(row) === seen) return;
  throw overtaken(ig_username);
}

async function done(
  deps: Deps,
  item: ItemClaim,
  before: SubscriptionRow | undefined,
): Promise<Applied> {
  const now = await newestOf(deps, item);
  // Nothing was done here where it was as wanted before: there is nothing to take back.
  const isChanged = seenPlan(before) !== seenPlan(now);
  const undo = isChanged && before && now ? inverseOf(item.change, before, now) : null;
  return { kind: 'done', chargedCents: 0, undo, leftAs: seenPlan(now) };
}

/** What brings the plan back to where it was, if anything does. */
function inverseOf(
  change: BulkChange,
  before: SubscriptionRow,
  now: SubscriptionRow,
): BulkChange | null {
  switch (change.kind) {
    case 'plan':
    case 'keepPlan':
      return before.next_package === null
        ? { kind: 'keepPlan' }
        : { kind: 'plan', packageIndex: before.next_package };
    case 'pause':
      return { kind: 'resume' };
    case 'resume':
      return before.ends_at && !before.pauses_at ? { kind: 'cancel' } : null;
    case 'cancel':
      return now.ends_at && !now.pauses_at && before.next_package === null
        ? { kind: 'resume' }
        : null;
    case 'begin':
    case 'tags':
    case 'delivery':
    case 'client':
    case 'add':
    case 'remove':
      return null;
    default:
      return change satisfies never;
  }
}

async function applyPlan(
  deps: Deps,
  item: ItemClaim,
  name: AccountName,
  packageNumber: number,
): Promise<Applied> {
  const row = await newestOf(deps, item);
  if (row && isUnended(row.state) && comingPlan(row).number === packageNumber) {
    return done(deps, item, row);
  }
  if (item.today_cents > 0) await refuseDeclinedCard(deps, item);
  const { quoteId, totalToday } = await quotePlan(deps, name, packageNumber);
  const cents = centsFromDollars(totalToday) ?? Number.NaN;
  if (cents !== item.today_cents) throw priceIsNow(cents);
  const change = { ...name, quoteId, attemptId: item.attempt_id, isAbsent: true };
  const claim = await openChange(deps, change);
  if (!claim) return done(deps, item, row);
  return paidFor(deps, item, await collectCharge(deps, claim));
}

async function applyTags(
  deps: Deps,
  item: ItemClaim,
  change: Extract<BulkChange, { kind: 'tags' }>,
): Promise<Applied> {
  const { workspace_id: workspaceId, account_id: accountId, startedBy: actor } = item;
  const now = new Date(deps.clock.now());
  if (accountId === null) throw notConnected(item.ig_username);
  return deps.database.transaction(async (tx) => {
    // What others tag meanwhile isn't this item's to take back.
    await lockWorkspace(tx, workspaceId);
    const before = (await findAccount(tx, workspaceId, accountId))?.tags ?? [];
    await tagAccounts(tx, { ...change, workspaceId, actor, accountIds: [accountId], now });
    const after = (await findAccount(tx, workspaceId, accountId))?.tags ?? [];
    const [add, remove] = [
      changeTags(before, { add: [], remove: after }),
      changeTags(after, { add: [], remove: before }),
    ];
    const isSame = add.length + remove.length === 0;
    return {
      kind: 'done',
      chargedCents: 0,
      undo: isSame ? null : { kind: 'tags', add, remove },
      leftAs: null,
    };
  });
}
