import type { BulkItem, BulkOperation, Proposal } from '#shared/contract/accounts/bulk.ts';
import type { BillingInfo } from '#shared/contract/people/user.ts';
import { PROPOSAL, reasonInWords } from '#shared/domain/accounts/bulk.ts';
import { HOUR_MS } from '#shared/domain/durations.ts';
import { capitalized, uncapitalized } from '#shared/domain/words/first-letter.ts';
import { dateInWords } from '#shared/domain/words/date-in-words.ts';
import { zoneTime } from '#shared/domain/time-zone.ts';
import { cardInWords } from '#web/payments/card-in-words.ts';
import { dollarsInWords, nextChargeMs } from '#web/payments/price-words.ts';
import { shortDate } from '#web/ui/words/dates.ts';
import { counted, figure } from '#web/ui/words/figures.ts';
import type { PastedNames } from './paste-names.tsx';
import type { BulkSource } from './use-bulk.ts';

/** "+$1,484.00", "−$20.00" */
export const signed = (dollars: number): string =>
  `${dollars > 0 ? '+' : ''}${dollarsInWords(dollars)}`;

const NOUNS = {
  plan: 'plan',
  begin: 'plan',
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
  begin: 'Start',
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
  /** It is a proposal: what is charged, and when, is up to who approves it. */
  needsApproval?: boolean;
}

/** Plans that begin with these changes. */
const begunIn = (items: readonly BulkItem[]) =>
  items.flatMap(({ outcome, change }) =>
    outcome === 'planned' && change.kind === 'begin' ? [change] : [],
  );

/** From when on new plans hold, and in whose days; undefined: none begins. */
export function beginWords(
  { items, needsApproval }: Pick<Planned, 'items' | 'needsApproval'>,
  nowMs: number,
): string | undefined {
  const begun = begunIn(items);
  const [first] = begun;
  if (!first) return undefined;
  const { timeZone } = first;
  const next = shortDate(nextChargeMs(nowMs, timeZone), timeZone);
  const [begin, renew] = begun.length === 1 ? ['begins', 'renews'] : ['begin', 'renew'];
  if (needsApproval) {
    return `${counted(begun.length, 'new plan')} ${begin} on the day of the approval and ${renew} a month later, in ${zoneTime(timeZone)}.`;
  }
  return `${counted(begun.length, 'new plan')} ${begin} today and ${renew} on ${next}, in ${zoneTime(timeZone)}.`;
}

/** "Start 18 plans and change 2", "Change 212 plans". */
function doneWords(items: readonly BulkItem[], planned: number): string {
  const kinds = new Set(
    items.flatMap(({ outcome, change }) => (outcome === 'planned' ? [change.kind] : [])),
  );
  const [kind] = kinds;
  if (kinds.size === 1 && kind) return `${VERBS[kind]} ${counted(planned, NOUNS[kind])}`;
  const begun = begunIn(items).length;
  const isOnlyPlans = kinds.size === 2 && kinds.has('plan');
  if (begun === 0 || !isOnlyPlans) return `Make ${counted(planned, 'change')}`;
  return `Start ${counted(begun, 'plan')} and change ${figure(planned - begun)}`;
}

/**
 * What the button does, in one sentence: "Change 212 plans, +$1,484.00 a month". Where plans begin it says what that
 * costs today, too.
 */
export function buttonWords(
  { items, planned, today, month, needsApproval }: Planned & { needsApproval: boolean },
  { kind: source }: Pick<BulkSource, 'kind'>,
): string {
  const what = doneWords(items, planned);
  const now = begunIn(items).length > 0 ? `, ${dollarsInWords(today)} today` : '';
  const all = month === 0 ? what : `${what}${now}, ${signed(month)} a month`;
  if (source === 'changes' && !needsApproval) return all;
  const later = uncapitalized(all);
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

/** Each reason once, after the names it is true of; of several, one that names its account says "this account". */
export function reasonsOf(items: readonly BulkItem[], isAll: boolean): string[] {
  const same = Map.groupBy(items, ({ igUsername, reason }) => withoutName(reason, igUsername));
  return [...same].map(([shared, of]) => {
    const [first, ...others] = of;
    const own = others.length === 0 ? first?.reason : undefined;
    if (first && own?.includes(`@${first.igUsername}`)) return own;
    const names = of.map((each) => `@${each.igUsername}`);
    return `${isAll ? names.join(', ') : someOf(names)}: ${shared}`;
  });
}

function withoutName(reason: string | null, igUsername: string): string {
  return capitalized((reason ?? '').replaceAll(`@${igUsername}`, 'this account'));
}

/** What is charged today, and from when on the month costs something else. */
export function priceWords(
  { items, planned, today, month, needsApproval }: Planned,
  card: BillingInfo | null | undefined,
): string {
  if (planned === 0)
    return areAdded(items) ? 'There is nothing to add.' : 'There is nothing to change.';
  if (areAdded(items)) return CHARGED_LATER;
  const paid = `${dollarsInWords(today)} is charged to the ${card ? cardInWords(card) : 'saved card'}`;
  const now = needsApproval
    ? `Nothing is charged now.${today > 0 ? ` Approved today, ${paid}.` : ''}`
    : today > 0
      ? `${paid} today.`
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
  stopped = 0,
  today,
}: BulkOperation): string {
  const all = waiting + done + failed;
  const wrong = failed > stopped ? `, ${figure(failed - stopped)} failed` : '';
  const isAdding = kinds.length === 1 && kinds[0] === 'add';
  const [noun, does] = isAdding ? ['account', 'added'] : ['change', 'made'];
  const made = isUndo ? 'undone' : does;
  const left =
    stopped > 0 ? `, ${figure(stopped)} ${isAdding ? 'not added' : 'left as they were'}` : '';
  if (state === 'running') {
    return stopped > 0
      ? `Stopping. ${counted(done, noun)} ${made}, ${figure(waiting)} being finished${left}${wrong}.`
      : `${figure(done)} of ${counted(all, noun)} ${made}${wrong}.`;
  }
  const paid = today > 0 ? ` ${dollarsInWords(today)} was charged.` : '';
  const end = stopped > 0 ? 'Stopped' : 'Done';
  return `${end}. ${counted(done, noun)} ${made}${left}${wrong}.${paid}`;
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
  const { state, by, isOwn, decidedBy, planned, today, month, at, reason } = proposal;
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
      return `${what} Refused by ${decidedBy ?? 'someone who has left'}${reasonInWords(reason)}.`;
    case 'withdrawn':
      return `${what} Withdrawn.`;
    case 'expired':
      return `${what} Not approved within ${PROPOSAL.openMs / HOUR_MS} hours.`;
    default:
      return state satisfies never;
  }
}

/** Whose it is, for who decides about it. */
export const proposedWords = ({ by, at }: Proposal, timeZone: string): string =>
  `Proposed by ${by ?? 'someone who has left'} on ${timeWords(at, timeZone)}.`;

/** "Nov 23, 2026 at 10:12 AM" */
export const timeWords = (instant: string, timeZone: string): string =>
  `${dateInWords(new Date(instant), timeZone)} at ${new Date(instant).toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })}`;
