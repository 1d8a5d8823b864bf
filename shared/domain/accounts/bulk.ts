import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import { type Action, may, type Person } from '../people/may.ts';

/** One operation changes at most so many accounts, and a page of its plan has at most so many. */
export const BULK_LIMITS = { items: 5000, page: 200 } as const;

/** So many accounts are added by one operation: at 50 a minute it is over within ten minutes. */
export const ADDED_LIMIT = 500;

/** So many plans are begun by one operation: each account is read first, fifty of a workspace a minute. */
export const BEGUN_LIMIT = 500;

/** For so long prices of a plan hold, and what an operation has done can be undone where nothing was charged. */
export const BULK_TIMES = { draftMs: 15 * MINUTE_MS, undoMs: 10 * MINUTE_MS } as const;

/**
 * A proposal that nobody decides about is over after three days, which a weekend fits into. So many wait in a workspace,
 * and of one person. Why it is refused is said in so many characters.
 */
export const PROPOSAL = {
  openMs: 72 * HOUR_MS,
  limit: 20,
  limitOfPerson: 5,
  reasonLength: 200,
} as const;

/** Behind what was refused: `: “Too dear this month”`; nothing where no reason was given. */
export const reasonInWords = (reason: string | null | undefined): string =>
  reason ? `: “${reason.replace(/\.$/, '')}”` : '';

export const PROPOSAL_STATES = ['proposed', 'approved', 'refused', 'withdrawn', 'expired'] as const;
export type ProposalState = (typeof PROPOSAL_STATES)[number];

export const BULK_KINDS = [
  'plan',
  'begin',
  'keepPlan',
  'tags',
  'pause',
  'resume',
  'cancel',
  'delivery',
  'client',
  'add',
  'remove',
] as const;
export type BulkKind = (typeof BULK_KINDS)[number];

const DOING: Readonly<Record<BulkKind, readonly [what: string, of: 'plan' | 'account']>> = {
  plan: ['changing', 'plan'],
  begin: ['starting', 'plan'],
  keepPlan: ['keeping', 'plan'],
  tags: ['changing the tags of', 'account'],
  pause: ['pausing', 'plan'],
  resume: ['resuming', 'plan'],
  cancel: ['stopping', 'plan'],
  delivery: ['changing the delivery settings of', 'account'],
  client: ['changing the client of', 'account'],
  add: ['adding', 'account'],
  remove: ['removing', 'account'],
};

/** What an operation is doing: "adding 75 accounts". */
export function doingInWords(kinds: readonly BulkKind[], count: number, isUndo: boolean): string {
  const [kind, ...others] = kinds;
  const isMixed = isUndo || kind === undefined || others.length > 0;
  const [what, of] = isMixed ? [isUndo ? 'undoing' : 'making', 'change'] : DOING[kind];
  return `${what} ${count.toLocaleString('en-US')} ${of}${count === 1 ? '' : 's'}`;
}

/** What a change is, for `may`. */
const ACTIONS = {
  plan: 'spend',
  begin: 'spend',
  keepPlan: 'spend',
  tags: 'edit',
  pause: 'spend',
  resume: 'spend',
  cancel: 'spend',
  delivery: 'edit',
  client: 'clients',
  add: 'connect',
  remove: 'edit',
} as const satisfies Record<BulkKind, Action>;
export const bulkAction = (kind: BulkKind): (typeof ACTIONS)[BulkKind] => ACTIONS[kind];

/** What in these changes somebody may not do; undefined: they may do all of it. */
export const refusedAction = (person: Person, kinds: readonly BulkKind[]): Action | undefined =>
  kinds.map(bulkAction).find((action) => !may(person, action));

/** The changes that are about a plan, and so about money. */
export const PLAN_KINDS = BULK_KINDS.filter((kind) => bulkAction(kind) === 'spend');

/** What somebody may decide alone; null: anything. An owner may. */
export interface Allowance {
  /** The workspace's: for one operation, by what is charged today or what a month of dearer plans adds. */
  aboveCents: number | null;
  /** Their own: of what they may spend in this month so much is left. */
  leftCents: number | null;
}

/** Whether an operation has to be approved by another person (docs/decisions/0049). */
export function needsApproval(
  { todayCents, addedCents }: { todayCents: number; addedCents: number },
  { aboveCents, leftCents }: Allowance,
): boolean {
  const isAbove = aboveCents !== null && Math.max(todayCents, addedCents) > aboveCents;
  return isAbove || (leftCents !== null && todayCents > leftCents);
}
