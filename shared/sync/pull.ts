import * as v from 'valibot';
import { uuid } from '../contract/fields.ts';
import { SYNC_LIMITS } from './limits.ts';
import { WireRow } from './row.ts';
import { scopeName, version } from '../contract/scope.ts';

export const PULL_PATH = '/user/sync/pull';

/** Where a client stands in a scope: `v` durable, `next` while it reads the pages after it. */
export const Cursor = v.object({
  v: version,
  /** As answered with the page before; opaque. */
  next: v.optional(v.string()),
});
export type Cursor = v.InferOutput<typeof Cursor>;

/** `POST /user/sync/pull`. Scopes that are left out and are the session's are answered as `new`. */
export const PullRequest = v.object({
  /** As last answered; null at the very first call. */
  epoch: v.nullable(uuid),
  clientId: uuid,
  cursors: v.pipe(
    v.record(scopeName, Cursor),
    v.check((cursors) => Object.keys(cursors).length <= SYNC_LIMITS.scopes, 'Too many scopes'),
  ),
});
export type PullRequest = v.InferOutput<typeof PullRequest>;

/** One page of one scope. With `next` null the scope is at `to`; before that keep the old cursor. */
const PullPage = v.object({
  from: version,
  /** Pinned on the first page: what changes meanwhile comes with the next pull. */
  to: version,
  next: v.nullable(v.string()),
  rows: v.array(WireRow),
});
type PullPage = v.InferOutput<typeof PullPage>;

export const PullAnswer = v.object({
  /** Another one than was sent: every cursor is void, all scopes are in `resync`. */
  epoch: uuid,
  /** The session's own id among the `device` rows. */
  sessionId: uuid,
  userId: uuid,
  /** Instant of the server's clock, for "as of". */
  at: v.pipe(v.string(), v.isoTimestamp()),
  scopes: v.record(scopeName, PullPage),
  /** Not, or no longer, the session's: delete their rows. */
  drop: v.array(scopeName),
  /** The session's, and not among the cursors: take a snapshot. */
  new: v.array(scopeName),
  /** Cursor too old, or of another epoch: take a snapshot beside what is held, then swap. */
  resync: v.array(scopeName),
  /** The mutation of this client that was executed last; 0 when none. */
  lastMid: version,
});
export type PullAnswer = v.InferOutput<typeof PullAnswer>;
