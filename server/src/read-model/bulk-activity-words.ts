import { type BulkKind, doingInWords } from '#shared/domain/accounts/bulk.ts';
import { deliveryInWords } from '#shared/domain/delivery/delivery-words.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { findPlan } from '#shared/domain/money/plans.ts';
import type { DoneRow, ProposedRow } from './activity.repository.ts';

const SHOWN_KINDS = 3;

/** What an operation did, after the name of who started it. */
export function bulkWords(rows: readonly DoneRow[], seesMoney: boolean): string {
  const [first] = rows;
  if (!first) return 'changed many accounts at once';
  const made = rows.filter(({ done }) => done > 0);
  const sum = (of: readonly DoneRow[], key: 'done' | 'monthCents'): number =>
    of.reduce((total, row) => total + row[key], 0);
  if (made.length === 0) return unmadeWords(first);
  const others = made.slice(SHOWN_KINDS);
  const phrases = first.isUndo
    ? [`undid ${undoneWords(first.undoneKinds)} on ${accountsOf(sum(made, 'done'))}`]
    : made.slice(0, SHOWN_KINDS).map(phraseOf);
  const more = sum(others, 'done');
  const rest =
    more > 0 && !first.isUndo ? [`made ${more} other ${more === 1 ? 'change' : 'changes'}`] : [];
  const cents = sum(made, 'monthCents');
  const price =
    seesMoney && cents !== 0 ? `, ${cents > 0 ? '+' : ''}${formatCents(cents)} a month` : '';
  return listed([...phrases, ...rest]) + price;
}

/** What was stopped, and how far it had come. */
export function stoppedWords(rows: readonly DoneRow[]): string {
  const [first] = rows;
  if (!first) return 'stopped changes of accounts that were still waiting';
  const made = rows.reduce((total, { done }) => total + done, 0);
  const far = made === 0 ? 'before any was made' : `after ${made.toLocaleString('en-US')}`;
  return `stopped ${doingInWords(first.askedKinds, first.asked, first.isUndo)} ${far}`;
}

/** What was proposed: "changing 14 plans". */
export const proposalWords = (proposed: ProposedRow | undefined): string =>
  proposed ? doingInWords(proposed.kinds, proposed.count, false) : 'changes of accounts';

/** Of an operation that has made nothing, or nothing yet. */
function unmadeWords({ isRunning, isUndo, asked, askedKinds, stopped }: DoneRow): string {
  // Who works for single clients sees what was done to theirs alone.
  if (asked === 0) return isRunning ? 'is changing accounts' : 'tried to change accounts';
  if (isRunning) return `is ${doingInWords(askedKinds, asked, isUndo)}`;
  const [kind, ...others] = askedKinds;
  const only = kind === undefined || others.length > 0 ? 'change' : TRIED[kind];
  const what = `${isUndo ? 'undo changes of' : only} ${accountsOf(asked)}`;
  return stopped > 0
    ? `began to ${what}, which was stopped before any was made`
    : `tried to ${what}, but couldn’t`;
}

const TRIED: Readonly<Record<BulkKind, string>> = {
  plan: 'change the plan of',
  begin: 'start plans for',
  keepPlan: 'keep the plan of',
  tags: 'change the tags of',
  pause: 'pause the plan of',
  resume: 'resume the plan of',
  cancel: 'cancel the plan of',
  delivery: 'change the delivery settings of',
  client: 'change the client of',
  add: 'connect',
  remove: 'remove',
};

const UNDONE: Readonly<Record<BulkKind, string>> = {
  plan: 'the plan change',
  begin: 'the new plan',
  keepPlan: 'the kept plan',
  tags: 'the tag change',
  pause: 'the pause',
  resume: 'the restart',
  cancel: 'the cancellation',
  delivery: 'the change of delivery settings',
  client: 'the client change',
  add: 'the connection',
  remove: 'the removal',
};

const undoneWords = (kinds: readonly BulkKind[]): string =>
  kinds.length === 0 ? 'changes' : listed(kinds.map((kind) => UNDONE[kind]));

function phraseOf(row: DoneRow): string {
  const { kind, fromPlan, toPlan, done } = row;
  const of = accountsOf(done);
  switch (kind) {
    case 'plan':
      return fromPlan === null || toPlan === null
        ? `changed the plan of ${of}`
        : `changed the plan from ${likesOf(fromPlan)} to ${likesOf(toPlan)} likes on ${of}`;
    case 'begin':
      return `started the plan of ${likesOf(toPlan ?? 0)} likes on ${of}`;
    case 'keepPlan':
      return `kept the plan of ${of}`;
    case 'tags':
      return `changed the tags of ${of}`;
    case 'pause':
      return `paused the plan of ${of}`;
    case 'resume':
      return `resumed the plan of ${of}`;
    case 'cancel':
      return `canceled the plan of ${of}`;
    case 'delivery':
      return row.settings === null
        ? `changed the delivery settings of ${of}`
        : `changed the delivery settings of ${of} to ${deliveryInWords(row.settings, row.settings)}`;
    case 'client':
      return clientPhraseOf(row, of);
    case 'add':
      return `connected ${of}`;
    case 'remove':
      return `removed ${of}`;
    case null:
      return `changed ${of}`;
    default:
      return kind satisfies never;
  }
}

/** Clients by the names they have now. */
function clientPhraseOf({ fromClient, toClient }: DoneRow, of: string): string {
  if (fromClient === null || toClient === null) return `changed the client of ${of}`;
  if (fromClient === '') return `gave ${of} to ${toClient}`;
  return toClient === ''
    ? `took ${of} from ${fromClient}`
    : `moved ${of} from ${fromClient} to ${toClient}`;
}

const accountsOf = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'account' : 'accounts'}`;
const likesOf = (plan: number): string => findPlan(plan)?.description ?? '';
const listed = (phrases: readonly string[]): string =>
  phrases.length < 2
    ? phrases.join('')
    : `${phrases.slice(0, -1).join(', ')} and ${phrases.at(-1) ?? ''}`;
