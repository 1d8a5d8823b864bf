import type { BulkChange } from '#shared/contract/bulk.ts';
import { changeTags } from '#shared/domain/account-tags.ts';
import { dayOf } from '#shared/domain/day-use.ts';
import type { AccountId } from '#shared/domain/ids.ts';
import { centsFromDollars, formatCents } from '#shared/domain/money.ts';
import { isUnended } from '#shared/domain/subscription-state.ts';
import { ApiError } from '#server/kit/api-error.ts';
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
import { findCharge } from '#server/money/charges/charge.repository.ts';
import { collectCharge, resumeCharge } from '#server/money/settlement/collect-charge.service.ts';
import type { Settlement } from '#server/money/settlement/settle-charge.ts';
import {
  isBankDecline,
  paymentBeingChecked,
  paymentDeclined,
  paymentUnavailable,
} from '#server/money/charges/payment-error.ts';
import { keepPlan, openChange } from '#server/money/plan-changes/change-plan.service.ts';
import { quotePlan } from '#server/money/plan-changes/quote.service.ts';
import {
  listSubscriptions,
  type SubscriptionRow,
} from '#server/money/subscriptions/subscription.repository.ts';
import { applyAdd, applyRemove } from './add-change.ts';
import { applyDelivery } from './apply-delivery.ts';
import { type ItemClaim, listLastPayments } from './bulk.repository.ts';
import { applyClient } from './client-change.ts';
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

/** After so many refusals of the bank one after the other the card isn't asked any more. */
export const DECLINES_LIMIT = 3;

/**
 * What became of the charge of this item; undefined: none was opened. Whose charge it is may no longer be allowed one,
 * and its account may be gone: what was paid is paid.
 * @throws ApiError nothing was charged, or it goes back
 */
export async function resumePayment(deps: Deps, item: ItemClaim): Promise<Applied | undefined> {
  if (item.change.kind !== 'plan') return undefined;
  const key = { workspaceId: item.workspace_id, chargeId: item.attempt_id };
  if (!(await findCharge(deps.database.db, key))) return undefined;
  return settled(deps, item, await resumeCharge(deps, key));
}

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
  const name = {
    workspaceId: item.workspace_id,
    igUsername: account,
    actor: item.startedBy,
    isQuiet: true,
    check: (row: SubscriptionRow) => refuseOvertaken(item, row),
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

async function newestOf(
  { database: { db } }: Deps,
  { workspace_id, account_id }: ItemClaim,
): Promise<SubscriptionRow | undefined> {
  return account_id === null
    ? undefined
    : (await listSubscriptions(db, workspace_id, [account_id]))[0];
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
  throw new ApiError(
    'overtaken',
    `The plan of @${ig_username} changed after you checked these changes, so it was left as it is now.`,
  );
}

async function done(
  deps: Deps,
  item: ItemClaim,
  before: SubscriptionRow | undefined,
  chargedCents = 0,
): Promise<Applied> {
  const now = await newestOf(deps, item);
  // Nothing was done here where it was as wanted before: there is nothing to take back.
  const isChanged = seenPlan(before) !== seenPlan(now) && chargedCents === 0;
  const undo = isChanged && before && now ? inverseOf(item.change, before, now) : null;
  return { kind: 'done', chargedCents, undo, leftAs: seenPlan(now) };
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
  if (row && isUnended(row.state) && (row.next_package ?? row.package) === packageNumber) {
    return done(deps, item, row);
  }
  if (item.today_cents > 0) await refuseDeclinedCard(deps, item);
  const { quoteId, totalToday } = await quotePlan(deps, name, packageNumber);
  const cents = centsFromDollars(totalToday) ?? Number.NaN;
  if (cents !== item.today_cents) throw priceIsNow(cents);
  const change = { ...name, quoteId, attemptId: item.attempt_id, isAbsent: true };
  const claim = await openChange(deps, change);
  if (!claim) return done(deps, item, row);
  return settled(deps, item, await collectCharge(deps, claim));
}

function priceIsNow(cents: number): ApiError {
  return new ApiError(
    'price_changed',
    `The price is now ${formatCents(cents)}. Nothing was charged. Please check it and try again.`,
  );
}

async function refuseDeclinedCard({ database: { db } }: Deps, item: ItemClaim): Promise<void> {
  const codes = await listLastPayments(db, item, DECLINES_LIMIT);
  if (codes.length < DECLINES_LIMIT || codes.includes(null)) return;
  throw new ApiError(
    'card_declined',
    'Your card was declined several times in a row, so we stopped charging it. This plan wasn’t changed.',
  );
}

function settled(deps: Deps, item: ItemClaim, settlement: Settlement): Promise<Applied> | Applied {
  switch (settlement.kind) {
    case 'paid':
      return done(deps, item, undefined, item.today_cents);
    case 'returned':
      throw new ApiError(
        'price_changed',
        'The plan was stopped or changed during the payment. We’re returning the payment in full.',
      );
    case 'declined':
      throw isBankDecline(settlement.code)
        ? paymentDeclined(settlement.code)
        : paymentUnavailable();
    // Nobody is there to be asked: the charge ends by itself.
    case 'needs_action':
    case 'open':
      return { kind: 'open', error: paymentBeingChecked() };
    default:
      return settlement satisfies never;
  }
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
