import type { AskedChange, BulkChange } from '#shared/contract/accounts/bulk.ts';
import { bulkAction, type BulkKind } from '#shared/domain/accounts/bulk.ts';
import { changeDelivery } from '#shared/domain/delivery/delivery-change.ts';
import type { AccountId } from '#shared/domain/ids.ts';
import { getPlan } from '#shared/domain/money/plans.ts';
import { isUnended } from '#shared/domain/money/subscription-state.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { viewDeliverySettings } from '#server/delivery/settings/delivery-settings.repository.ts';
import { notConnected } from '#server/network/accounts/account-refusals.ts';
import {
  type AccountRow,
  listAccountsByUsername,
} from '#server/network/accounts/account.repository.ts';
import { taggedAccount } from '#server/network/accounts/tag-accounts.service.ts';
import { preparePause } from '#server/money/cancellation/pause.service.ts';
import { accountAlreadySubscribed } from '#server/money/charges/payment-error.ts';
import { priceChange } from '#server/money/plan-changes/quote.service.ts';
import { comingPlan } from '#server/money/subscriptions/subscription-clock.ts';
import {
  listSubscriptions,
  type SubscriptionRow,
} from '#server/money/subscriptions/subscription.repository.ts';
import { settingsText } from '../accounts/delivery-settings.service.ts';
import { createAddPlan } from './add-change.ts';
import { createBeginPlan } from './begin-change.ts';
import { seenSettings } from './apply-delivery.ts';
import type { NewItem, OperationKey } from './bulk.repository.ts';
import { createClientPlan } from './client-change.ts';
import { listTaken } from './planned-items.repository.ts';
import { seenPlan } from './seen-plan.ts';

/** `begin` comes from what was proposed. */
export type WantedChange = AskedChange | Extract<BulkChange, { kind: 'begin' }>;

export interface Wanted {
  igUsername: string;
  change: WantedChange;
  /** What was proposed is of this account; another one that has its name by now isn't meant. */
  accountId?: AccountId | null;
}

/** Of an account its tags, delivery settings, client and plan are changed once each. */
const partOf = ({ igUsername, kind }: { igUsername: string; kind: BulkKind }): string =>
  `${igUsername} ${bulkAction(kind) === 'spend' ? 'plan' : kind}`;

/** What each change of a page comes to, and costs, as of now. */
export async function planItems(
  deps: Deps,
  tx: Tx,
  page: { key: OperationKey; from: number; changes: readonly Wanted[]; now: Date },
): Promise<NewItem[]> {
  const { key, from, changes, now } = page;
  const { workspaceId } = key;
  const taken = new Set((await listTaken(tx, key, from)).map(partOf));
  const names = changes.map(({ igUsername }) => igUsername);
  const accounts = new Map(
    (await listAccountsByUsername(tx, workspaceId, names)).map((row) => [row.ig_username, row]),
  );
  const ids = [...accounts.values()].map(({ id }) => id);
  const newestFirst = await listSubscriptions(tx, workspaceId, ids);
  const newest = new Map(newestFirst.toReversed().map((row) => [row.account_id, row]));
  const planClient = createClientPlan(tx, { key, from, accountIds: ids, now });
  const planBegin = changes.some(({ change }) => isFirstWanted(change))
    ? await createBeginPlan(deps, tx, { key, from, accounts: [...accounts.values()], now })
    : undefined;
  const planAdd = changes.some(({ change }) => change.kind === 'add')
    ? await createAddPlan(deps, tx, { key, from, names })
    : undefined;
  const items: NewItem[] = [];
  for (const { igUsername, change, accountId } of changes) {
    const named = accounts.get(igUsername);
    const isMeant = !accountId || named?.id === accountId;
    const account = isMeant ? named : undefined;
    const row = account && newest.get(account.id);
    const part = partOf({ igUsername, kind: change.kind });
    const planned = taken.has(part)
      ? refused(new ApiError('invalid_input', `@${igUsername} is listed twice.`))
      : await planChange(tx, {
          igUsername,
          account,
          row,
          change,
          planClient,
          planAdd,
          planBegin,
          now,
        }).catch(refused);
    taken.add(part);
    items.push({
      change,
      today_cents: 0,
      month_cents: 0,
      code: null,
      reason: null,
      seen: seenOf(change, account, row),
      ...planned,
      position: from + items.length,
      account_id: account?.id ?? null,
      ig_username: igUsername,
      attempt_id: deps.ids.uuid(),
    });
  }
  return items;
}

/** What a change would overwrite, as its planner saw it. The change is refused where that differs later. */
function seenOf(
  { kind }: WantedChange,
  account: AccountRow | undefined,
  row: SubscriptionRow | undefined,
): string | null {
  if (kind === 'client') return account?.client_id ?? null;
  return account && kind === 'delivery' ? seenSettings(account) : seenPlan(row);
}

/** Whether a change may begin a first plan: it names the time zone that the plan would begin in. */
function isFirstWanted(
  change: WantedChange,
): change is WantedChange & { packageIndex: number; timeZone: string } {
  return (change.kind === 'plan' || change.kind === 'begin') && change.timeZone !== undefined;
}

type Planned = Pick<NewItem, 'outcome'> & Partial<NewItem>;

function refused(error: unknown): Planned {
  if (!(error instanceof ApiError)) throw error;
  return { outcome: 'refused', code: error.code, reason: error.message };
}

const SAME: Planned = { outcome: 'same' };
const PLANNED: Planned = { outcome: 'planned' };

async function planChange(
  tx: Tx,
  asked: Wanted & {
    account: AccountRow | undefined;
    row: SubscriptionRow | undefined;
    planClient: ReturnType<typeof createClientPlan>;
    planAdd: Awaited<ReturnType<typeof createAddPlan>> | undefined;
    planBegin: Awaited<ReturnType<typeof createBeginPlan>> | undefined;
    now: Date;
  },
): Promise<Planned> {
  const { igUsername, account, change, now } = asked;
  if (change.kind === 'add') return account || !asked.planAdd ? SAME : asked.planAdd(igUsername);
  if (!account) throw notConnected(igUsername);
  if (change.kind === 'tags') return taggedAccount(account, change) ? PLANNED : SAME;
  if (change.kind === 'delivery') return planDelivery(account, change);
  if (change.kind === 'client') return asked.planClient(account, change);
  const row = asked.row && isUnended(asked.row.state) ? asked.row : undefined;
  if (!row && asked.planBegin && isFirstWanted(change)) {
    return asked.planBegin(account, asked.row, change);
  }
  if (!row) throw new ApiError('not_found', `@${igUsername} has no plan.`);
  switch (change.kind) {
    case 'plan':
      return planPlan(tx, row, change.packageIndex, now);
    case 'begin':
      throw accountAlreadySubscribed(igUsername);
    case 'keepPlan':
      return row.next_package === null
        ? SAME
        : { ...PLANNED, month_cents: addedMonthlyCents(row, row.package) };
    case 'pause':
      await preparePause(tx, row, new Date(change.until), now);
      return PLANNED;
    case 'resume':
      if (row.ends_at && !row.pauses_at)
        return { ...PLANNED, month_cents: comingPlan(row).priceCents };
      return row.pauses_at || row.displaced_at ? PLANNED : SAME;
    case 'cancel':
      return row.ends_at ? SAME : { ...PLANNED, month_cents: -comingPlan(row).priceCents };
    default:
      return change satisfies never;
  }
}

async function planPlan(
  tx: Tx,
  row: SubscriptionRow,
  packageNumber: number,
  now: Date,
): Promise<Planned> {
  if (comingPlan(row).number === packageNumber) return SAME;
  const month_cents = addedMonthlyCents(row, packageNumber);
  if (row.package === packageNumber) {
    return { ...PLANNED, change: { kind: 'keepPlan' }, month_cents };
  }
  const { totalCents } = await priceChange(tx, row, packageNumber, now);
  return { ...PLANNED, today_cents: totalCents, month_cents };
}

const addedMonthlyCents = (row: SubscriptionRow, packageNumber: number): number =>
  getPlan(packageNumber).priceCents - comingPlan(row).priceCents;

function planDelivery(
  account: AccountRow,
  { settings }: Extract<AskedChange, { kind: 'delivery' }>,
): Planned {
  const changed = changeDelivery(viewDeliverySettings(account), settings);
  return settingsText(changed) === seenSettings(account) ? SAME : PLANNED;
}
