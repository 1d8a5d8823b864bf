import { formatInstant } from '../words/date-in-words.ts';
import { formatCents } from '../money/money.ts';
import { whoseBudget } from '../money/budget-of.ts';
import { type Action, may, type Person } from '../people/may.ts';

/*
 * An alert is something somebody may have to act on. It is read off the rows that say so, in the replica and for the
 * mail alike, so that a condition is one alert however often it is looked at, and none once it has ended
 * (docs/decisions/0046).
 *
 *   account unreadable   begins with the first failed poll, ends with the first good one
 *   payment declined     begins when a renewal isn't paid, ends when it is, or the plan has ended
 *   order ended early    has happened: it stands in the list for ALERT_DAYS
 *   budget reached       begins with the payment that reaches it, ends with its month or a higher limit
 */
export const ALERT_KINDS = [
  'account_unreadable',
  'payment_declined',
  'order_ended_early',
  'budget_reached',
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** So long an order that ended early is told of. */
export const ALERT_DAYS = 14;
/** The newest of them that are told of. */
export const ALERT_LIMIT = 100;

export interface Alert {
  /** The same condition has the same key, whoever reads it and how often. */
  key: string;
  kind: AlertKind;
  /** When it began, in milliseconds since the epoch. */
  atMs: number;
  /** The account's name; null: it is about a client, or the workspace. */
  igUsername: string | null;
  /** Whose the account or budget is; null: nobody's. */
  client: { id: string; name: string } | null;
  title: string;
  sentence: string;
  /** Of an order: the post's receipt is where one looks. */
  postId?: string;
}

/** A kind somebody doesn't want to hear of; `clientId` null: of any account. */
export interface AlertMute {
  kind: AlertKind;
  clientId: string | null;
}
/** Of whoever has chosen nothing: nothing is read, muted or mailed. */
export const NO_ALERT_CHOICES = {
  readUntil: null,
  mutes: [] as AlertMute[],
  mailHour: null,
};
/** Beyond what 60 clients need. */
const MUTES_LIMIT = 500;

function isMuted(
  mutes: readonly AlertMute[],
  { kind, client }: Pick<Alert, 'kind' | 'client'>,
): boolean {
  return mutes.some(
    (mute) => mute.kind === kind && (mute.clientId === null || mute.clientId === client?.id),
  );
}

/** The mutes after one was set or taken back; each once. */
export function changeMutes(
  mutes: readonly AlertMute[],
  { kind, clientId }: AlertMute,
  isOn: boolean,
): AlertMute[] {
  const others = mutes.filter((mute) => mute.kind !== kind || mute.clientId !== clientId);
  return isOn ? [...others, { kind, clientId }].slice(-MUTES_LIMIT) : others;
}

/** What somebody must be allowed to be told of it. */
export const ALERT_ACTIONS: Readonly<Record<AlertKind, Action>> = {
  account_unreadable: 'read',
  order_ended_early: 'read',
  payment_declined: 'readMoney',
  budget_reached: 'readMoney',
};

/** Whether somebody is told of it at all: what they may see, and haven't muted. */
export function isTold(
  person: Person,
  mutes: readonly AlertMute[],
  alert: Pick<Alert, 'kind' | 'client' | 'igUsername'>,
): boolean {
  const of = alert.igUsername === null ? undefined : { clientId: alert.client?.id ?? null };
  const action = ALERT_ACTIONS[alert.kind];
  // Money is the workspace's, whichever account it is about.
  const isSeen = action === 'read' ? may(person, action, of) : may(person, action);
  return isSeen && !isMuted(mutes, alert);
}

/** The account an alert is about. */
export interface AlertAccount {
  igUsername: string;
  client: { id: string; name: string } | null;
}

export function unreadableAlert(account: AlertAccount & { igId: string; sinceMs: number }): Alert {
  const { igUsername, client, igId, sinceMs } = account;
  return {
    key: `unreadable:${igId || igUsername}:${sinceMs}`,
    kind: 'account_unreadable',
    atMs: sinceMs,
    igUsername,
    client,
    title: `@${igUsername} can’t be read`,
    sentence:
      'It may be private, renamed or gone. New posts get no likes until it can be read again.',
  };
}

export function declinedAlert(account: AlertAccount & { igId: string; sinceMs: number }): Alert {
  const { igUsername, client, igId, sinceMs } = account;
  return {
    key: `declined:${igId}:${sinceMs}`,
    kind: 'payment_declined',
    atMs: sinceMs,
    igUsername,
    client,
    title: `Payment declined: @${igUsername}`,
    sentence: 'Its renewal wasn’t paid. Please see Billing to keep the plan.',
  };
}

const count = (likes: number): string => likes.toLocaleString('en-US');

export function endedEarlyAlert(
  account: AlertAccount,
  order: {
    id: string;
    postId: string;
    finishedMs: number;
    delivered: number;
    /** With the bonus. */
    target: number;
    /** A sentence. */
    reason: string | null;
  },
): Alert {
  const likes = `${count(order.delivered)} of ${count(order.target)} likes were delivered.`;
  return {
    key: `order:${order.id}`,
    kind: 'order_ended_early',
    atMs: order.finishedMs,
    ...account,
    title: `Delivery ended early: @${account.igUsername}`,
    sentence: order.reason === null ? likes : `${likes} ${order.reason}`,
    postId: order.postId,
  };
}

function monthName(month: string, later = 0): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return formatInstant(Date.UTC(year, number - 1 + later, 15), 'month', 'UTC');
}

/** @param of an account, a client, or, with neither, the workspace */
export function budgetAlert(
  of: Pick<Alert, 'igUsername' | 'client'> = { igUsername: null, client: null },
  budget: {
    id: string;
    limitCents: number;
    reachedMs: number;
    /** "2026-11" */
    month: string;
  },
): Alert {
  const whose = whoseBudget({ ...of, clientName: of.client?.name ?? null });
  return {
    key: `budget:${budget.id}:${budget.reachedMs}`,
    kind: 'budget_reached',
    atMs: budget.reachedMs,
    ...of,
    title: `Budget reached: ${whose}`,
    sentence: `The ${monthName(budget.month)} budget of ${formatCents(budget.limitCents)} is used up. Nothing more can be bought for ${whose} until ${monthName(budget.month, 1)}. Renewals continue.`,
  };
}

/** Newest first. */
export const newestAlertFirst = (a: Alert, b: Alert): number =>
  b.atMs - a.atMs || (a.key < b.key ? -1 : 1);
