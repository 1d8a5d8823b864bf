import * as v from 'valibot';
import { defineCall } from './call.ts';
import { igUsername, instant, uuid } from './fields.ts';

/** What a workspace, or one account, may cost in a calendar month, and does; dollars. */
const Budget = v.object({
  /** Null: the whole workspace, credits included. */
  igUsername: v.nullable(v.string()),
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
});
export type Budgets = v.InferOutput<typeof Budgets>;

const RULE = 'Please enter whole dollars, from 1 to 1,000,000';

export const findBudgets = defineCall({
  method: 'POST',
  path: '/user/budget/findByUserId',
  encoding: 'json',
  session: 'required',
  summary:
    'The monthly budget of the workspace and those of accounts, or of one account, with what is spent.',
  input: v.object({ userId: uuid, igUsername: v.optional(igUsername) }),
  data: Budgets,
  errors: ['not_yours', 'not_found'],
});

export const saveBudget = defineCall({
  method: 'POST',
  path: '/user/budget/save',
  encoding: 'json',
  session: 'required',
  summary: 'Sets the monthly budget of the workspace, or of one account, or takes it back.',
  input: v.object({
    userId: uuid,
    igUsername: v.optional(igUsername),
    /** Whole dollars; null: no budget. */
    limit: v.nullable(
      v.pipe(v.number(RULE), v.integer(RULE), v.minValue(1, RULE), v.maxValue(1_000_000, RULE)),
    ),
  }),
  data: Budgets,
  errors: ['not_yours', 'not_allowed', 'not_found', 'budget_reached'],
});
