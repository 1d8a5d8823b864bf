import * as v from 'valibot';
import { defineCall } from '../call.ts';
import { igUsername, instant, uuid } from '../fields.ts';

/** What a workspace, one client or one account may cost in a calendar month, and does; dollars. */
const Budget = v.object({
  /** Null: a client’s, or the whole workspace’s, credits included. */
  igUsername: v.nullable(v.string()),
  /** Whose it is, if it is a client’s. */
  client: v.optional(v.object({ id: uuid, name: v.string() })),
  /** Null: there is none. */
  limit: v.nullable(v.number()),
  /** Charged this month. */
  spent: v.number(),
  /** Renewals that are still to come this month. */
  due: v.number(),
  /** What its plans cost that go on. */
  monthly: v.number(),
});
export type Budget = v.InferOutput<typeof Budget>;

export const Budgets = v.object({
  /** The month, as it begins and ends in the owner's zone. */
  from: instant,
  until: instant,
  timeZone: v.string(),
  budgets: v.array(Budget),
  /** Those of clients, by name; left out where one was asked for. */
  clients: v.optional(v.array(Budget)),
});
export type Budgets = v.InferOutput<typeof Budgets>;

const RULE = 'Please enter whole dollars, from 1 to 1,000,000';

export const findBudgets = defineCall({
  method: 'POST',
  path: '/user/budget/findByUserId',
  encoding: 'json',
  session: 'required',
  summary:
    'The monthly budget of the workspace and those of clients and accounts, or of one of these, with what is spent.',
  /** Of one account or one client, or with neither of all. */
  input: v.object({
    userId: uuid,
    igUsername: v.optional(igUsername),
    clientId: v.optional(uuid),
  }),
  data: Budgets,
  errors: ['not_yours', 'not_found'],
});

export const saveBudget = defineCall({
  method: 'POST',
  path: '/user/budget/save',
  encoding: 'json',
  session: 'required',
  summary:
    'Sets the monthly budget of the workspace, of one client or of one account, or takes it back.',
  input: v.object({
    userId: uuid,
    igUsername: v.optional(igUsername),
    clientId: v.optional(uuid),
    /** Whole dollars; null: no budget. */
    limit: v.nullable(
      v.pipe(v.number(RULE), v.integer(RULE), v.minValue(1, RULE), v.maxValue(1_000_000, RULE)),
    ),
  }),
  data: Budgets,
  errors: ['not_yours', 'not_allowed', 'not_found', 'budget_reached'],
});
