import type { BulkChange, BulkItem, BulkOperation, Proposal } from '#shared/contract/bulk.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { changeTags } from '#shared/domain/account-tags.ts';
import { dateInWords } from '#shared/domain/date-in-words.ts';
import { changeDelivery, type DeliveryChange } from '#shared/domain/delivery-change.ts';
import { findPlan, getPlan, isUpgrade } from '#shared/domain/plans.ts';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { shortDate } from '#web/ui/words/dates.ts';
import { counted, figure } from '#web/ui/words/figures.ts';
import type { PastedNames } from './paste-names.tsx';
import type { BulkSource } from './use-bulk.ts';

/** One changed cell of an account. */
export interface ChangedCell {
  before: string;
  after: string;
}

/** What changes of an account, and nothing else. */
export function cellOf(
  change: BulkChange,
  account: ConnectedAccount | undefined,
  timeZone: string,
): ChangedCell {
  const zone = account?.timeZone ?? timeZone;
  const plan = likesOf(account?.accountPackageId ?? null);
  const next = account?.nextPackageId ? ` (then ${likesOf(account.nextPackageId)})` : '';
  const state = account?.subscriptionState ?? '';
  switch (change.kind) {
    case 'plan':
      return {
        before: plan + next,
        after: likesOf(change.packageIndex) + fromWhen(change.packageIndex, account, zone),
      };
    case 'keepPlan':
      return { before: plan + next, after: plan };
    case 'tags': {
      const before = account?.tags ?? [];
      const after = changeTags(before, change);
      return { before: listed(before), after: listed(after) };
    }
    case 'pause':
      return {
        before: state,
        after: `Paused until ${shortDate(Date.parse(change.until), zone)}`,
      };
    case 'resume':
      return { before: nowOf(account, zone), after: 'Active' };
    case 'cancel': {
      const end = account?.nextBillingDate;
      const before = nowOf(account, zone);
      // Nothing is paid that it could go on for.
      if (state === 'Past due') return { before, after: 'Stops at once' };
      const after = end ? `Stops on ${shortDate(Date.parse(end), zone)}` : 'Stops';
      return { before, after };
    }
    case 'delivery': {
      const before = account?.delivery;
      const after = before && changeDelivery(before, change.settings);
      return {
        before: deliveryWords(before, change.settings),
        after: deliveryWords(after ?? change.settings, change.settings),
      };
    }
    case 'client': {
      const after = change.clientId === null ? NO_CLIENT : (change.clientName ?? '');
      return { before: account?.client?.name ?? NO_CLIENT, after };
    }
    case 'add':
      return { before: 'Not connected', after: 'Connected, no plan' };
    case 'remove':
      return { before: 'Connected', after: 'Removed' };
    default:
      return change satisfies never;
  }
}

/** A smaller plan comes with the next due date (D5). */
function fromWhen(plan: number, account: ConnectedAccount | undefined, zone: string): string {
  const { accountPackageId: now, nextBillingDate } = account ?? {};
  if (!now || !nextBillingDate || plan === now) return '';
  if (isUpgrade(getPlan(now).priceCents, getPlan(plan).priceCents)) return '';
  return ` from ${shortDate(Date.parse(nextBillingDate), zone)}`;
}

const NO_CLIENT = 'No client';

/** Those settings that are changed, in words. */
function deliveryWords(settings: DeliveryChange | undefined, changed: DeliveryChange): string {
  const { automaticLikes, speed, range } = settings ?? {};
  const words = [
    changed.automaticLikes !== undefined && `Automatic Likes ${automaticLikes ? 'on' : 'off'}`,
    changed.speed !== undefined && `Speed: ${speed ?? ''}`,
    changed.range !== undefined &&
      (range ? `${figure(range.min)} to ${figure(range.max)} likes` : 'Same likes for each post'),
  ];
  return settings ? words.filter((each) => each !== false).join(', ') : '';
}

const listed = (tags: readonly string[]): string => (tags.length > 0 ? tags.join(', ') : 'No tags');

const likesOf = (plan: number | null): string =>
  plan === null ? 'No plan' : `${findPlan(plan)?.description ?? ''} likes`;

function nowOf(account: ConnectedAccount | undefined, zone: string): string {
  if (account?.resumesAt) return `Paused until ${shortDate(Date.parse(account.resumesAt), zone)}`;
  if (account?.endsAt) return `Stops on ${shortDate(Date.parse(account.endsAt), zone)}`;
  return account?.subscriptionState ?? '';
}

/** "+$1,484.00", "−$20.00" */
export const signed = (dollars: number): string =>
  `${dollars > 0 ? '+' : ''}${dollarsInWords(dollars)}`;

const NOUNS = {
  plan: 'plan',
  keepPlan: 'plan',
  tags: 'account',
  pause: 'plan',
  resume: 'plan',
  cancel: 'plan',
  delivery: 'account',
  client: 'account',
  add: 'account',
  remove: 'account',
} as const;
const VERBS = {
  plan: 'Change',
  keepPlan: 'Keep',
  tags: 'Change the tags of',
  pause: 'Pause',
  resume: 'Resume',
  cancel: 'Stop',
  delivery: 'Change the delivery settings of',
  client: 'Change the client of',
  add: 'Add',
  remove: 'Remove',
} as const;

interface Planned {
  items: readonly BulkItem[];
  planned: number;
  today: number;
  month: number;
}

/** What the button does, in one sentence: "Change 212 plans, +$1,484.00 a month". */
export function buttonWords(
  { items, planned, month, needsApproval }: Planned & { needsApproval: boolean },
  { kind: source }: Pick<BulkSource, 'kind'>,
): string {
  const kinds = new Set(
    items.flatMap(({ outcome, change }) => (outcome === 'planned' ? [change.kind] : [])),
  );
  const [kind] = kinds;
  const what =
    kinds.size === 1 && kind
      ? `${VERBS[kind]} ${counted(planned, NOUNS[kind])}`
      : `Make ${counted(planned, 'change')}`;
  const all = month === 0 ? what : `${what}, ${signed(month)} a month`;
  if (source === 'changes' && !needsApproval) return all;
  const later = `${all.charAt(0).toLowerCase()}${all.slice(1)}`;
  return source === 'review' ? `Approve, and ${later}` : `Ask to ${later}`;
}

/** Of accounts that are added, whose plans come later. */
export const CHARGED_LATER = 'Nothing is charged until you choose plans for them.';

const areAdded = (items: readonly BulkItem[]): boolean =>
  items.length > 0 && items.every(({ change }) => change.kind === 'add');

/** What there is nothing to do for. */
export function sameWords(items: readonly BulkItem[]): string {
  const { length } = items;
  const [is, it] = length === 1 ? ['is', 'it'] : ['are', 'them'];
  const all = `${counted(length, 'account')} ${is} already`;
  if (!areAdded(items)) return `${all} as you want ${it}.`;
  return `${all} connected: ${someOf(items.map(({ igUsername }) => `@${igUsername}`))}.`;
}

const SHOWN_NAMES = 10;

/** What of the pasted words is left out, in sentences; undefined: nothing. */
export const unreadWords = ({ unread }: PastedNames): string | undefined =>
  unread.length > 0 ? `These can’t be usernames: ${someOf(unread)}.` : undefined;

export const repeatedWords = ({ repeated }: PastedNames): string | undefined =>
  repeated.length > 0
    ? `Listed more than once, added once: ${someOf(repeated.map((name) => `@${name}`))}.`
    : undefined;

function someOf(words: readonly string[]): string {
  const more = words.length - SHOWN_NAMES;
  return `${words.slice(0, SHOWN_NAMES).join(', ')}${more > 0 ? ` and ${figure(more)} more` : ''}`;
}

/** Each reason once, after the names it is true of, unless it names the account itself. */
export function reasonsOf(items: readonly BulkItem[], isAll: boolean): string[] {
  const names = new Map<string, string[]>();
  for (const { igUsername, reason } of items) {
    const own = reason?.includes(`@${igUsername}`);
    const before = names.get(reason ?? '') ?? [];
    names.set(reason ?? '', own ? before : [...before, `@${igUsername}`]);
  }
  return [...names].map(([reason, all]) => {
    if (all.length === 0) return reason;
    return `${isAll ? all.join(', ') : someOf(all)}: ${reason}`;
  });
}

/** What is charged today, and from when on the month costs something else. */
export function priceWords({ items, planned, today, month }: Planned): string {
  if (planned === 0)
    return areAdded(items) ? 'There is nothing to add.' : 'There is nothing to change.';
  if (areAdded(items)) return CHARGED_LATER;
  const now =
    today > 0
      ? `${dollarsInWords(today)} is charged to your saved card today.`
      : 'Nothing is charged today.';
  if (month === 0) return now;
  const difference = `${dollarsInWords(Math.abs(month))} ${month > 0 ? 'more' : 'less'}`;
  return `${now} All these plans together then cost ${difference} a month.`;
}

/** How far it is. */
export function progressWords({
  state,
  isUndo,
  kinds,
  waiting,
  done,
  failed,
  today,
}: BulkOperation): string {
  const all = waiting + done + failed;
  const wrong = failed > 0 ? `, ${figure(failed)} failed` : '';
  const isAdding = kinds.length === 1 && kinds[0] === 'add';
  const [noun, does] = isAdding ? ['account', 'added'] : ['change', 'made'];
  const made = isUndo ? 'undone' : does;
  if (state === 'running') {
    return `${figure(done)} of ${counted(all, noun)} ${made}${wrong}.`;
  }
  const paid = today > 0 ? ` ${dollarsInWords(today)} was charged.` : '';
  return `Done. ${counted(done, noun)} ${made}${wrong}.${paid}`;
}

/** What was done, when, by whom, and how far it is. */
export function operationWords(operation: BulkOperation, timeZone: string): string {
  const { kinds, isUndo, by, startedAt, waiting, done, failed } = operation;
  const [kind] = kinds;
  const count = waiting + done + failed;
  const what =
    kinds.length === 1 && kind && !isUndo
      ? `${VERBS[kind]} ${counted(count, NOUNS[kind])}`
      : `${isUndo ? 'Undo' : 'Make'} ${counted(count, 'change')}`;
  const who = by ?? 'someone who has left';
  return `${timeWords(startedAt, timeZone)}, ${who}: ${what}. ${progressWords(operation)}`;
}

/** Who has proposed what, and what became of it. */
export function proposalWords(proposal: Proposal, timeZone: string): string {
  const { state, by, isOwn, decidedBy, planned, today, month, at } = proposal;
  const who = isOwn ? 'You' : (by ?? 'Someone who has left');
  const has = isOwn ? 'have' : 'has';
  const cost = `${dollarsInWords(today)} today${month === 0 ? '' : `, ${signed(month)} a month`}`;
  const what = `${timeWords(at, timeZone)}: ${who} ${has} proposed ${counted(planned, 'change')} (${cost}).`;
  switch (state) {
    case 'proposed':
      return isOwn ? `${what} Someone else has to approve it.` : what;
    case 'approved':
      return `${what} Approved by ${decidedBy ?? 'someone who has left'}, at the prices of that day.`;
    case 'refused':
      return `${what} Refused by ${decidedBy ?? 'someone who has left'}.`;
    case 'withdrawn':
      return `${what} Withdrawn.`;
    case 'expired':
      return `${what} Not approved within 72 hours.`;
    default:
      return state satisfies never;
  }
}

/** "Nov 23, 2026 at 10:12 AM" */
export const timeWords = (instant: string, timeZone: string): string =>
  `${dateInWords(new Date(instant), timeZone)} at ${new Date(instant).toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })}`;
