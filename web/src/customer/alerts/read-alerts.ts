import type { User } from '#shared/contract/people/user.ts';
import {
  type Alert,
  ALERT_DAYS,
  ALERT_LIMIT,
  type AlertAccount,
  budgetAlert,
  declinedAlert,
  endedEarlyAlert,
  isTold,
  newestAlertFirst,
  unreadableAlert,
  NO_ALERT_CHOICES,
} from '#shared/domain/accounts/alert.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { DAY_MS } from '#shared/domain/durations.ts';
import type {
  AccountChange,
  AlertChoices,
  OrderChange,
  WalletChange,
} from '#shared/sync/entities.ts';
import { personOf } from '#web/customer/rights/user-may.ts';
import { ENDED_EARLY, PAST_DUE, UNREADABLE } from '#web/replica/store/entity-shape.ts';
import { findRowsOf, findUserRow, listRowsOf } from '#web/replica/store/read-rows.ts';
import type { StoreReader } from '#web/replica/store/sync-store.ts';

/** What alerts are read off. */
export interface AlertRows {
  /** Those that can't be read, or whose payment was declined. */
  troubled: readonly AccountChange[];
  /** Newest first. */
  endedEarly: readonly OrderChange[];
  reachedBudgets: NonNullable<WalletChange['reachedBudgets']>;
  /** The accounts of these orders and budgets. */
  accounts: ReadonlyMap<string, AccountChange>;
  choices: AlertChoices;
}

export async function readAlertRows(store: StoreReader): Promise<AlertRows> {
  const [wallet] = await listRowsOf(store, 'wallet');
  const { preferences } = (await findUserRow(store)) ?? {};
  const { reachedBudgets = [] } = wallet ?? {};
  const endedEarly = await listRowsOf(store, 'order', { foundBy: ENDED_EARLY, limit: ALERT_LIMIT });
  const about = [...endedEarly, ...reachedBudgets].flatMap(({ accountId }) => accountId ?? []);
  const unreadable = await listRowsOf(store, 'account', { foundBy: UNREADABLE });
  const declined = await listRowsOf(store, 'account', { foundBy: PAST_DUE });
  return {
    troubled: [
      ...new Map([...unreadable, ...declined].map((row) => [row.accountId, row])).values(),
    ],
    endedEarly,
    reachedBudgets,
    accounts: await findRowsOf(store, 'account', about),
    choices: preferences?.alerts ?? NO_ALERT_CHOICES,
  };
}

/** What the person is told of at a moment, newest first: the same as their mail would say. */
export function alertsOf(
  { troubled, endedEarly, reachedBudgets, accounts, choices }: AlertRows,
  user: User | null,
  nowMs: number,
): Alert[] {
  const orders = endedEarly.flatMap((order) =>
    endedEarlyOf(order, accounts.get(order.accountId), nowMs),
  );
  const budgets = reachedBudgets.flatMap((budget) => {
    const account = accounts.get(budget.accountId ?? '');
    const isOver = Date.parse(budget.until) <= nowMs;
    const isUnknown = budget.accountId !== null && !account;
    if (isOver || isUnknown) return [];
    const { limit, month, reachedAt, accountId, client } = budget;
    const of = account ? accountOf(account) : { igUsername: null, client: client ?? null };
    return budgetAlert(of, {
      id: accountId ?? client?.id ?? 'workspace',
      limitCents: Math.round(limit * 100),
      reachedMs: Date.parse(reachedAt),
      month,
    });
  });
  const person = personOf(user);
  return [...troubled.flatMap(alertsOfAccount), ...orders, ...budgets]
    .filter((alert) => isTold(person, choices.mutes, alert))
    .sort(newestAlertFirst);
}

const accountOf = ({ igUsername, client = null }: ConnectedAccount): AlertAccount => ({
  igUsername,
  client,
});

function alertsOfAccount(account: ConnectedAccount): Alert[] {
  const { igId, problem, unreadableSince, subscriptionState, pastDueSince } = account;
  const of = (since: string) => ({ ...accountOf(account), igId, sinceMs: Date.parse(since) });
  return [
    ...(problem === 'unreadable' && unreadableSince ? [unreadableAlert(of(unreadableSince))] : []),
    ...(subscriptionState === 'Past due' && pastDueSince ? [declinedAlert(of(pastDueSince))] : []),
  ];
}

function endedEarlyOf(
  order: OrderChange,
  account: ConnectedAccount | undefined,
  nowMs: number,
): Alert[] {
  const finishedMs = order.finishedAt === null ? 0 : Date.parse(order.finishedAt);
  if (finishedMs <= nowMs - ALERT_DAYS * DAY_MS) return [];
  const { id, postId, delivered, reason, ordered, bonus, igUsername } = order;
  const of = { igUsername, client: account?.client ?? null };
  const target = ordered + bonus;
  return [endedEarlyAlert(of, { id, postId, finishedMs, delivered, target, reason })];
}

/** Those that began after the newest they have read. */
export function unreadAlerts(
  alerts: readonly Alert[],
  { readUntil }: Pick<AlertChoices, 'readUntil'>,
): Alert[] {
  const readMs = readUntil === null ? 0 : Date.parse(readUntil);
  return alerts.filter(({ atMs }) => atMs > readMs);
}
