import * as v from 'valibot';
import { ACTIVITY_KINDS, ACTIVITY_PAGE } from '../../domain/accounts/activity.ts';
import { defineCall } from '../call.ts';
import { askedInstant, igUsername, instant, uuid, wholeNumber } from '../fields.ts';

/** One thing that was done, or a whole operation on many accounts. */
const ActivityEntry = v.object({
  /** Its place in the log. */
  entry: v.number(),
  at: instant,
  who: v.string(),
  /** The whole sentence, with who did it. */
  text: v.string(),
  kind: v.picklist(ACTIVITY_KINDS),
  /** The account it was done to, if it was one. */
  igUsername: v.nullable(v.string()),
  /** Of a change of many accounts. */
  operationId: v.nullable(uuid),
  /** So long it can be undone by `undoBulk`; null: it can't be. */
  undoUntil: v.nullable(instant),
});
export type ActivityEntry = v.InferOutput<typeof ActivityEntry>;

export const findActivity = defineCall({
  method: 'POST',
  path: '/user/activity/findByUserId',
  encoding: 'json',
  session: 'required',
  summary: `Who did what in the workspace, the newest first, ${ACTIVITY_PAGE} at a time. Owners and managers see all; others what was done to the accounts they see.`,
  input: v.object({
    userId: uuid,
    /** The entry that the page before ended with. */
    before: v.optional(wholeNumber('This isn’t a place in the log')),
    kind: v.optional(v.picklist(ACTIVITY_KINDS, 'Please choose what to look for')),
    memberId: v.optional(uuid),
    igUsername: v.optional(igUsername),
    clientId: v.optional(uuid),
    /** From then, until before then. */
    from: v.optional(askedInstant),
    until: v.optional(askedInstant),
  }),
  data: v.object({
    entries: v.array(ActivityEntry),
    /** There is more, before this entry. */
    next: v.nullable(v.number()),
  }),
  errors: ['not_yours'],
});

/** What was looked at. */
const ActivityCheck = v.object({
  entries: v.number(),
  from: v.nullable(instant),
  until: v.nullable(instant),
  /** Of the last entry and all before it: as long as it ends here, nothing of before has changed. */
  fingerprint: v.string(),
  /** What is wrong; null: nothing is. */
  problem: v.nullable(v.string()),
});
export type ActivityCheck = v.InferOutput<typeof ActivityCheck>;

export const checkActivity = defineCall({
  method: 'POST',
  path: '/user/activity/check',
  encoding: 'json',
  session: 'required',
  summary:
    'Computes the chain of the log again, from its first entry to its last: whether one was changed, removed or moved.',
  input: v.object({ userId: uuid }),
  data: ActivityCheck,
  errors: ['not_yours', 'not_allowed', 'rate_limited'],
});
