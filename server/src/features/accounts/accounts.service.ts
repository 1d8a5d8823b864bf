import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { dollarsFromCents } from '#shared/domain/money.ts';
import type { Deps } from '../../deps.ts';
import {
  listShownSubscriptions,
  type ShownSubscription,
  UNENDED_STATES,
} from '../billing/subscription.repository.ts';
import { viewDeliverySettings } from '../delivery-settings/delivery-settings.repository.ts';
import { listAddedDays } from '../fair-clock/subscription-day.repository.ts';
import { type GivenDay, shiftReason } from '../fair-clock/shift-reason.ts';
import { signImagePath } from '../images/image-path.ts';
import { listMoneyReturned } from '../subscriptions/money-back-account.repository.ts';
import { listMoneyBackStates } from '../subscriptions/money-back.repository.ts';
import { listKeptCents } from '../subscriptions/money-back-facts.ts';
import type { MoneyBackState } from '../subscriptions/subscription-work.table.ts';
import {
  moneyBackUntil as lastMomentOfMoneyBack,
  nextPackageAt,
  nextChargeAt,
} from '../subscriptions/subscription-clock.ts';
import { type AccountRow, listAccounts } from './account.repository.ts';

const UNENDED: ReadonlySet<string> = new Set(UNENDED_STATES);

type ViewDeps = Pick<Deps, 'clock' | 'database' | 'settings'>;

interface Standing {
  subscription: ShownSubscription | undefined;
  /** Ids of subscriptions that have served an account whose money was returned once (D5). */
  returned: ReadonlySet<string>;
  /** The most cents that money back can return, by subscription. */
  refundable: ReadonlyMap<string, number>;
  /** By subscription, of those that were asked for. */
  moneyBacks: ReadonlyMap<string, MoneyBackState>;
  /** Days added to the current periods, by subscription (D5). */
  added: ReadonlyMap<string, GivenDay[]>;
}

/** The workspace's connected accounts (or these), oldest first, each with our id of it. */
export async function viewAccounts(
  deps: ViewDeps,
  workspaceId: string,
  accountIds?: readonly string[],
): Promise<Array<{ accountId: string; connectedAt: Date; view: ConnectedAccount }>> {
  const { db } = deps.database;
  // Side by side: while the rows of one answer are read, the database finds those of the next.
  const [accounts, newestFirst, days] = await Promise.all([
    listAccounts(db, workspaceId, accountIds),
    listShownSubscriptions(db, workspaceId, accountIds),
    listAddedDays(db, workspaceId),
  ]);
  const newest = new Map(newestFirst.toReversed().map((row) => [row.account_id, row]));
  const early = Array.from(newest.values()).filter((row) => isEarly(deps, row));
  const earlyIds = early.map(({ id }) => id);
  const [refundable, returned, moneyBacks] = await Promise.all([
    listKeptCents(db, workspaceId, earlyIds),
    listMoneyReturned(db, deps, early),
    listMoneyBackStates(db, workspaceId),
  ]);
  const added = Map.groupBy(days, ({ subscriptionId }) => subscriptionId);
  return accounts.map((account) => ({
    accountId: account.id,
    connectedAt: account.created_at,
    view: viewAccount(deps, account, {
      subscription: newest.get(account.id),
      returned,
      refundable,
      moneyBacks,
      added,
    }),
  }));
}

/** `subscription` is the account's newest; only an unended one gives it a plan and dates, but for money back. */
function viewAccount(
  deps: ViewDeps,
  account: AccountRow,
  { subscription, returned, refundable, moneyBacks, added }: Standing,
): ConnectedAccount {
  const current = subscription && UNENDED.has(subscription.state) ? subscription : undefined;
  const moneyBackUntil = subscription ? viewMoneyBack(deps, subscription, returned) : null;
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
    followers: account.followers,
    lastReadAt: account.last_read_at?.toISOString() ?? null,
    endsAt: current?.ends_at?.toISOString() ?? null,
    pausesAt: current?.pauses_at?.toISOString() ?? null,
    resumesAt: current?.resumes_at?.toISOString() ?? null,
    postsWaitSince: current?.posts_wait_since?.toISOString() ?? null,
    timeZone: subscription?.time_zone ?? null,
    moneyBackUntil,
    moneyBackAmount:
      subscription && moneyBackUntil !== null
        ? dollarsFromCents(refundable.get(subscription.id) ?? 0)
        : null,
    moneyBackState: (subscription && moneyBacks.get(subscription.id)) ?? null,
    shiftDays: days.length,
    shiftReason: days.length > 0 ? shiftReason(account.ig_username, days) : null,
    delivery: viewDeliverySettings(account),
  };
}

function viewMoneyBack(
  deps: ViewDeps,
  row: ShownSubscription,
  returned: ReadonlySet<string>,
): string | null {
  if (!isEarly(deps, row) || returned.has(row.id)) return null;
  return lastMomentOfMoneyBack(row).toISOString();
}

/** Whether all its money could still be asked back, as far as the time goes. */
function isEarly({ clock }: Pick<ViewDeps, 'clock'>, row: ShownSubscription): boolean {
  return clock.now() <= lastMomentOfMoneyBack(row).getTime();
}

/** Empty until the network has told where the picture is. */
function profilePicture({ settings }: Pick<Deps, 'settings'>, account: AccountRow): string {
  const { workspace_id: workspaceId, id: accountId, ig_id: igId } = account;
  if (igId === null || account.profile_picture_url === null) return '';
  const target = { kind: 'profile', workspaceId, accountId, id: igId } as const;
  return `/proxy/${signImagePath(settings.appSecret, target)}`;
}
