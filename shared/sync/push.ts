import * as v from 'valibot';
import { uuid } from '../contract/fields.ts';
import { SYNC_LIMITS } from './limits.ts';
import { Versions, version } from '../contract/scope.ts';

export const PUSH_PATH = '/user/sync/push';

/** Number of a mutation among those of its client: 1, 2, 3, ... without a gap, given when sending begins. */
const mid = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** `name` and `args` are checked one by one, so that a bad one is refused without holding up the rest. */
export const Mutation = v.object({ mid, name: v.string(), v: v.number(), args: v.unknown() });
export type Mutation = v.InferOutput<typeof Mutation>;

/**
 * `POST /user/sync/push`, in the order of `mid`. 409 `mutation_gap`: a mid between the last executed
 * and the first sent is missing (the error's `fields.lastMid` is the last executed).
 */
export const PushRequest = v.object({
  clientId: uuid,
  mutations: v.pipe(v.array(Mutation), v.minLength(1), v.maxLength(SYNC_LIMITS.pushMutations)),
});
export type PushRequest = v.InferOutput<typeof PushRequest>;

/** One of `ERROR_CODES`; text, because a newer server may know more of them than its client. */
const code = v.string();

/** How a mutation ended. Asked again, a final one answers the same. */
export const MutationResult = v.variant('status', [
  v.object({
    mid,
    status: v.literal('ok'),
    /** Its effect is in the replica once the cursors have reached these. */
    versions: Versions,
  }),
  /** A business refusal, final: nothing was done. */
  v.object({
    mid,
    status: v.literal('rejected'),
    code,
    message: v.string(),
  }),
  /**
   * Not decided, and nothing is stored: send it, and all behind it, again after this time with the same mid.
   * Or spend the mid (the same with version 0, which is refused), and send it later under another one.
   */
  v.object({
    mid,
    status: v.literal('later'),
    code,
    message: v.string(),
    retryAfterMs: v.number(),
  }),
]);
export type MutationResult = v.InferOutput<typeof MutationResult>;

/** One result per mutation sent; nothing behind a `later`. */
export const PushAnswer = v.object({ results: v.array(MutationResult), lastMid: version });
export type PushAnswer = v.InferOutput<typeof PushAnswer>;
