import * as v from 'valibot';
import { BulkChange, ItemsPage } from './accounts/bulk.ts';
import { defineCall } from './call.ts';

/** A change that was made. Dollars. */
const MadeItem = v.object({
  position: v.number(),
  igUsername: v.string(),
  change: BulkChange,
  /** What would take it back; null: nothing does. */
  undo: v.nullable(BulkChange),
  /** The plan it had; null: none, or the change isn't about plans. */
  fromPlan: v.nullable(v.number()),
  charged: v.number(),
});
export type MadeItem = v.InferOutput<typeof MadeItem>;

export const findMadeItems = defineCall({
  method: 'POST',
  path: '/user/bulk/findMade',
  encoding: 'json',
  session: 'required',
  summary:
    'Changes of an operation that were made, with what they were before and what was charged, a page at a time.',
  input: ItemsPage,
  data: v.array(MadeItem),
  errors: ['not_yours', 'not_found'],
});
