import {
  type ConnectedAccount,
  withoutMoney,
} from '#shared/contract/accounts/connected-account.ts';
import { may, type Person } from '#shared/domain/people/may.ts';
import { dollarsFromCents } from '#shared/domain/money/money.ts';
import { isUnended } from '#shared/domain/money/subscription-state.ts';
import type { AccountChange } from '#shared/sync/entities.ts';
import { scopeOf } from '#shared/contract/scope.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { ScopeOwner } from '#server/replica/scope-owner.ts';
import {
  listShownSubscriptions,
  type ShownSubscription,
} from '#server/money/subscriptions/subscription.repository.ts';
import { viewDeliverySettings } from '#server/delivery/settings/delivery-settings.repository.ts';
import { listAddedDays } from '#server/money/subscriptions/subscription-day.repository.ts';
import { type ServiceCreditDay, shiftReason } from '#shared/domain/money/shift-reason.ts';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import { signImagePath } from '#server/network/images/image-path.ts';
import { listMoneyReturned } from '#server/money/subscriptions/refund-right.repository.ts';
import { listRefundRequestStates } from '#server/money/refunds/refund-request.repository.ts';
import { listKeptCents } from '#server/money/refunds/refund-figures.repository.ts';
import type { MoneyBackState } from '#server/kit/db/tables/subscription-work.table.ts';
import {
  moneyBackUntil as lastMomentOfMoneyBack,
  nextPackageAt,
  nextChargeAt,
} from '#server/money/subscriptions/subscription-clock.ts';
import { listClientNames } from '#server/network/clients/client.repository.ts';
import { type AccountRow, listAccounts } from '#server/network/accounts/account.repository.ts';

type ViewDeps = Pick<Deps, 'database' | 'settings'>;

/** Whether a right that ends at a moment is told: while it lasts, or always, so that a row doesn't change by itself. */
type IsTold = (until: Date) => boolean;

interface Facts {
  subscription: ShownSubscription | undefined;
  /** The most cents that money back can return, by subscription; only of those that can still be asked for (D5). */
  refundable: ReadonlyMap<string, number>;
  /** By subscription, of those that were asked for. */
  moneyBacks: ReadonlyMap<string, MoneyBackState>;
  /** Whose it is. */
  client: { id: string; name: string } | undefined;
  /** Days added to the current periods, by subscription (D5). */
  added: ReadonlyMap<string, ServiceCreditDay[]>;
}

interface ViewedAccount {
  /** Our id of it. */
  accountId: AccountId;
  connectedAt: Date;
  view: Viewed;
}

/** With each field that later versions of the wire have brought, but for those that are told only where they hold. */
type Viewed = Required<Omit<ConnectedAccount, SaidOfSome>> & Pick<ConnectedAccount, SaidOfSome>;
type SaidOfSome = 'client' | 'postsWait';

/** The workspace's connected accounts (or these) as they are now, oldest first. */
export function viewAccounts(
  deps: ViewDeps & Pick<Deps, 'clock'>,
  workspaceId: WorkspaceId,
  accountIds?: readonly AccountId[],
): Promise<ViewedAccount[]> {
  const now = deps.clock.now();
  return listViews(deps, { workspaceId, accountIds, isTold: (until) => now <= until.getTime() });
}

/** The same for somebody in the workspace: its money is shown to who may see it. */
export async function viewAccountsFor(
  deps: ViewDeps & Pick<Deps, 'clock'>,
  person: Person & { workspaceId: WorkspaceId },
  accountIds?: readonly AccountId[],
): Promise<ViewedAccount[]> {
  const accounts = await viewAccounts(deps, person.workspaceId, accountIds);
  if (may(person, 'readMoney')) return accounts;
  return accounts.map((account) => ({
    ...account,
    view: withoutMoney(account.view, deps.clock.now()),
  }));
}

/**
 * "Possible until" is told whole: the screen knows what time it is. A scope of single clients has no money in it; the
 * workspace's own is one for all roles. That posts wait there is told when a line says so (`tellWaiting`).
 */
export async function projectAccounts(
  deps: ViewDeps & Pick<Deps, 'clock'>,
  { workspaceId, scope }: ScopeOwner,
  accountIds: readonly AccountId[],
): Promise<Array<[id: string, row: AccountChange]>> {
  const accounts = await listViews(deps, { workspaceId, accountIds, isTold: () => true });
  const hasMoney = scope === scopeOf('w', workspaceId);
  return accounts.map(({ accountId, connectedAt, view }) => [
    accountId,
    {
      ...(hasMoney ? view : withoutMoney(view, deps.clock.now())),
      accountId,
      connectedAt: connectedAt.toISOString(),
    },
  ]);
}

async function listViews(
  deps: ViewDeps,
  {
    workspaceId,
    accountIds,
    isTold,
  }: { workspaceId: WorkspaceId; accountIds: readonly AccountId[] | undefined; isTold: IsTold },
): Promise<ViewedAccount[]> {
  const { db } = deps.database;
  // Side by side: while the rows of one answer are read, the database finds those of the next.
  const [accounts, newestFirst, days, clients] = await Promise.all([
    listAccounts(db, workspaceId, accountIds),
    listShownSubscriptions(db, workspaceId, accountIds),
    listAddedDays(db, workspaceId),
    listClientNames(db, workspaceId),
  ]);
  const newest = new Map(newestFirst.toReversed().map((row) => [row.account_id, row]));
  const early = Array.from(newest.values()).filter((row) => isTold(lastMomentOfMoneyBack(row)));
  const earlyIds = early.map(({ id }) => id);
  const [kept, returned, moneyBacks] = await Promise.all([
    listKeptCents(db, workspaceId, earlyIds),
    listMoneyReturned(db, deps, early),
    listRefundRequestStates(db, workspaceId),
  ]);
  const refundable = new Map(
    earlyIds.filter((id) => !returned.has(id)).map((id) => [id, kept.get(id) ?? 0]),
  );
  const added = Map.groupBy(days, ({ subscriptionId }) => subscriptionId);
  return accounts.map((account) => ({
    accountId: account.id,
    connectedAt: account.created_at,
    view: viewAccount(deps, account, {
      subscription: newest.get(account.id),
      refundable,
      moneyBacks,
      added,
      client: clients.get(account.client_id ?? ''),
    }),
  }));
}

/** `subscription` is the account's newest; only an unended one gives it a plan and dates, but for money back. */
function viewAccount(
  deps: ViewDeps,
  account: AccountRow,
  { subscription, refundable, moneyBacks, added, client }: Facts,
): Viewed {
  const current = subscription && isUnended(subscription.state) ? subscription : undefined;
  const refundableCents = subscription && refundable.get(subscription.id);
  const days = current ? (added.get(current.id) ?? []) : [];
  return {
    igUsername: account.ig_username,
    igId: account.ig_id ?? '',
    profilePic: profilePicture(deps, account),
    accountPackageId: current?.package ?? null,
    accountPackageSubsriptionDate: current?.period_started_at.toISOString() ?? null,
    nextPackageId: current?.next_package ?? null,
    nextPackageFrom: current?.next_package ? nextPackageAt(current).toISOString() : null,
    nextBillingDate: current ? nextChargeAt(current).toISOString() : null,
    subscriptionState: subscription?.state ?? null,
    problem: account.problem,
    unreadableSince: account.unreadable_since?.toISOString() ?? null,
    followers: account.followers,
    lastReadAt: account.last_read_at?.toISOString() ?? null,
    endsAt: current?.ends_at?.toISOString() ?? null,
    pausesAt: current?.pauses_at?.toISOString() ?? null,
    resumesAt: current?.resumes_at?.toISOString() ?? null,
    postsWaitSince: current?.posts_wait_since?.toISOString() ?? null,
    pastDueSince: current?.past_due_since?.toISOString() ?? null,
    timeZone: subscription?.time_zone ?? null,
    moneyBackUntil:
      subscription && refundableCents !== undefined
        ? lastMomentOfMoneyBack(subscription).toISOString()
        : null,
    moneyBackAmount: refundableCents === undefined ? null : dollarsFromCents(refundableCents),
    moneyBackState: (subscription && moneyBacks.get(subscription.id)) ?? null,
    shiftDays: days.length,
    shiftReason: days.length > 0 ? shiftReason(account.ig_username, days) : null,
    delivery: viewDeliverySettings(account),
    tags: account.tags,
    ...(client && { client }),
  };
}

/** Empty until the network has told where the picture is. */
function profilePicture({ settings }: Pick<Deps, 'settings'>, account: AccountRow): string {
  const { workspace_id: workspaceId, id: accountId, ig_id: igId } = account;
  if (igId === null || account.profile_picture_url === null) return '';
  const target = { kind: 'profile', workspaceId, accountId, id: igId } as const;
  return `/proxy/${signImagePath(settings.appSecret, target)}`;
}
