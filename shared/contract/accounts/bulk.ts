import * as v from 'valibot';
import { BULK_KINDS, BULK_LIMITS, PROPOSAL, PROPOSAL_STATES } from '../../domain/accounts/bulk.ts';
import { DeliverySettings, tags } from './account-changes.ts';
import { defineCall } from '../call.ts';
import { CLIENT_NAME_LENGTH } from '../../domain/people/team.ts';
import {
  askedInstant,
  dollars,
  igUsername,
  instant,
  optionalText,
  timeZone,
  uuid,
  wholeNumber,
} from '../fields.ts';
import { planNumber } from '../money/subscription.ts';

/**
 * What one account is to be changed to. `keepPlan` takes back what is planned for the next due date; of delivery
 * settings those that are left out stay; `add` connects a name without a plan.
 */
const AskedChange = v.variant('kind', [
  v.object({
    kind: v.literal('plan'),
    packageIndex: planNumber,
    /** Where an account has no plan, one begins, in this zone; left out: it is refused. */
    timeZone: v.optional(timeZone),
  }),
  v.object({ kind: v.literal('keepPlan') }),
  v.object({ kind: v.literal('tags'), add: tags, remove: tags }),
  v.object({ kind: v.literal('pause'), until: askedInstant }),
  v.object({ kind: v.literal('resume') }),
  v.object({ kind: v.literal('cancel') }),
  v.object({
    kind: v.literal('delivery'),
    settings: v.pipe(
      v.partial(DeliverySettings),
      v.check((settings) => Object.keys(settings).length > 0, 'Please choose what to change.'),
    ),
  }),
  v.object({
    kind: v.literal('client'),
    /** null: nobody's. */
    clientId: v.nullable(uuid),
    /** What they are called, said by the server. */
    clientName: v.optional(v.pipe(v.string(), v.maxLength(CLIENT_NAME_LENGTH))),
  }),
  v.object({ kind: v.literal('add') }),
]);
export type AskedChange = v.InferOutput<typeof AskedChange>;

/** The same; a `plan` that is the first one of its account or of its return; and what takes `add` back. */
export const BulkChange = v.variant('kind', [
  AskedChange,
  v.object({ kind: v.literal('begin'), packageIndex: planNumber, timeZone: v.string() }),
  v.object({ kind: v.literal('remove') }),
]);
export type BulkChange = v.InferOutput<typeof BulkChange>;

/**
 * planned ──started──> waiting ──┬─> done
 *                                └─> failed, with its reason
 * refused, with its reason; same: there is nothing to change
 */
export const BULK_OUTCOMES = ['planned', 'refused', 'same', 'waiting', 'done', 'failed'] as const;

const BulkItem = v.object({
  position: v.number(),
  igUsername: v.string(),
  change: BulkChange,
  outcome: v.picklist(BULK_OUTCOMES),
  reason: v.nullable(v.string()),
  /** It wasn't made because somebody stopped it while it waited. */
  isStopped: v.optional(v.boolean()),
  /** Dollars: charged when it is done, and what a month costs more or, below 0, less. */
  today: v.number(),
  month: v.number(),
});
export type BulkItem = v.InferOutput<typeof BulkItem>;

/** An operation that was started. Dollars: what was charged so far, and what a month costs more by all that is done. */
const BulkOperation = v.object({
  operationId: uuid,
  state: v.picklist(['running', 'done']),
  isUndo: v.boolean(),
  /** Who started it; null: their account is deleted. */
  by: v.nullable(v.string()),
  /** Whether whoever asks may stop what still waits; missing: they may not. */
  canStop: v.optional(v.boolean()),
  kinds: v.array(v.picklist(BULK_KINDS)),
  waiting: v.number(),
  done: v.number(),
  failed: v.number(),
  /** So many of `failed` were stopped while they waited; missing: none. */
  stopped: v.optional(v.number()),
  today: v.number(),
  month: v.number(),
  startedAt: instant,
  endedAt: v.nullable(instant),
  /** So many of its changes can be undone, until then; null: none, or not any more. */
  undoable: v.number(),
  undoUntil: v.nullable(instant),
});
export type BulkOperation = v.InferOutput<typeof BulkOperation>;

/** Changes that wait for another person to approve them, or what became of them. Dollars, as of when they were proposed. */
const Proposal = v.object({
  operationId: uuid,
  state: v.picklist(PROPOSAL_STATES),
  kinds: v.array(v.picklist(BULK_KINDS)),
  planned: v.number(),
  today: v.number(),
  month: v.number(),
  /** Who proposed them; null: their account is deleted. */
  by: v.nullable(v.string()),
  isOwn: v.boolean(),
  decidedBy: v.nullable(v.string()),
  /** Why it was refused; missing: nobody said. */
  reason: v.optional(v.string()),
  at: instant,
  until: instant,
});
export type Proposal = v.InferOutput<typeof Proposal>;

const TOO_MANY = `Please send at most ${BULK_LIMITS.page} changes at once.`;

const PlannedPage = v.object({
  items: v.array(BulkItem),
  /** Over all pages so far: changes that can be made, and what they cost together. */
  planned: v.number(),
  today: v.number(),
  month: v.number(),
  /** They cost more than whoever asks may decide alone: they can be proposed. */
  needsApproval: v.optional(v.boolean()),
});

export const planBulk = defineCall({
  method: 'POST',
  path: '/user/bulk/plan',
  encoding: 'json',
  session: 'required',
  summary: `What changing many accounts would do and cost, to the cent, a page at a time. Changes nothing. At most ${BULK_LIMITS.items.toLocaleString('en-US')} changes; prices hold for 15 minutes.`,
  input: v.object({
    userId: uuid,
    /** Made by whoever asks; the same for all pages. */
    operationId: uuid,
    /** How many changes the pages before have. The same page again replaces itself and what follows. */
    from: wholeNumber('This isn’t a place in the list'),
    changes: v.pipe(
      v.array(v.object({ igUsername, change: AskedChange })),
      v.minLength(1, 'Please choose an account.'),
      v.maxLength(BULK_LIMITS.page, TOO_MANY),
    ),
  }),
  data: PlannedPage,
  errors: ['not_yours', 'not_found', 'rate_limited'],
});

const Shown = v.object({
  userId: uuid,
  operationId: uuid,
  /** As they were shown. */
  planned: wholeNumber('This isn’t a number of changes'),
  today: dollars('This isn’t a price'),
});

export const startBulk = defineCall({
  method: 'POST',
  path: '/user/bulk/start',
  encoding: 'json',
  session: 'required',
  summary:
    'Makes the changes that were planned, each account once. Refused if their number or price isn’t what was shown.',
  input: Shown,
  data: BulkOperation,
  errors: [
    'not_yours',
    'not_found',
    'price_changed',
    'bulk_running',
    'needs_approval',
    'rate_limited',
  ],
});

export const proposeBulk = defineCall({
  method: 'POST',
  path: '/user/bulk/propose',
  encoding: 'json',
  session: 'required',
  summary:
    'Asks for the approval of changes that cost more than one may decide alone, for 72 hours.',
  input: Shown,
  data: Proposal,
  errors: ['not_yours', 'not_found', 'price_changed', 'proposals_full'],
});

export const findProposals = defineCall({
  method: 'POST',
  path: '/user/bulk/findProposals',
  encoding: 'json',
  session: 'required',
  summary: 'Changes that wait for approval, then the newest of those that were decided about.',
  input: v.object({ userId: uuid }),
  data: v.array(Proposal),
  errors: ['not_yours'],
});

export const reviewBulk = defineCall({
  method: 'POST',
  path: '/user/bulk/review',
  encoding: 'json',
  session: 'required',
  summary:
    'Plans the changes someone else proposed as they would be now, a page at a time. Starting them approves them.',
  input: v.object({
    userId: uuid,
    /** Made by whoever asks; the same for all pages. */
    operationId: uuid,
    proposalId: uuid,
    from: wholeNumber('This isn’t a place in the list'),
  }),
  data: PlannedPage,
  errors: ['not_yours', 'not_found', 'rate_limited'],
});

export const closeProposal = defineCall({
  method: 'POST',
  path: '/user/bulk/closeProposal',
  encoding: 'json',
  session: 'required',
  summary:
    'Refuses what someone else proposed, for a reason they are told, or withdraws what one proposed oneself.',
  input: v.object({
    userId: uuid,
    operationId: uuid,
    reason: optionalText(PROPOSAL.reasonLength),
  }),
  data: Proposal,
  errors: ['not_yours', 'not_found'],
});

export const findBulk = defineCall({
  method: 'POST',
  path: '/user/bulk/findByUserId',
  encoding: 'json',
  session: 'required',
  summary: 'How the newest operations on many accounts stand, or this one.',
  input: v.object({ userId: uuid, operationId: v.optional(uuid) }),
  data: v.array(BulkOperation),
  errors: ['not_yours'],
});

export const ItemsPage = v.object({
  userId: uuid,
  operationId: uuid,
  /** The position of the last one known; nothing: from the beginning. */
  after: v.optional(wholeNumber('This isn’t a place in the list')),
});

export const findBulkItems = defineCall({
  method: 'POST',
  path: '/user/bulk/findItems',
  encoding: 'json',
  session: 'required',
  summary: 'Changes of an operation that weren’t made, with their reasons, a page at a time.',
  input: ItemsPage,
  data: v.array(BulkItem),
  errors: ['not_yours', 'not_found'],
});

export const undoBulk = defineCall({
  method: 'POST',
  path: '/user/bulk/undo',
  encoding: 'json',
  session: 'required',
  summary: 'Undoes what an operation has changed where nothing was charged, for 10 minutes.',
  input: v.object({ userId: uuid, operationId: uuid }),
  data: BulkOperation,
  errors: ['not_yours', 'not_found', 'bulk_running', 'needs_approval'],
});

export const stopBulk = defineCall({
  method: 'POST',
  path: '/user/bulk/stop',
  encoding: 'json',
  session: 'required',
  summary:
    'Stops what still waits of an operation: each change is listed as not made. What is under way is finished.',
  input: v.object({ userId: uuid, operationId: uuid }),
  data: BulkOperation,
  errors: ['not_yours', 'not_allowed', 'not_found'],
});
