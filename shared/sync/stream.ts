import * as v from 'valibot';
import { uuid } from '../contract/fields.ts';
import { WireRow } from './row.ts';
import { scopeName, version } from '../contract/scope.ts';

export const STREAM_PATH = '/user/sync/stream';

/**
 * `GET /user/sync/stream`: server-sent events, `event:` the name, `data:` the JSON. It brings what
 * happens from now on; whatever it brings is a hint that a pull would bring too, so (re)connecting
 * starts with a pull. A comment comes every 20 s.
 */
export const STREAM_EVENTS = {
  /** First: where the scopes stand. A head above the cursor, or another epoch: pull. */
  hello: v.object({ epoch: uuid, heads: v.record(scopeName, version) }),
  /** Apply only when `from` is the cursor; any other `from`: pull. */
  delta: v.object({ scope: scopeName, from: version, to: version, rows: v.array(WireRow) }),
  /** The scope has moved on, too far for a delta: pull. */
  head: v.object({ scope: scopeName, v: version }),
  /** The scope is no longer the session's: delete its rows. */
  drop: v.object({ scope: scopeName }),
  /** The session has ended: log in again and keep the data. The stream ends. */
  reauth: v.object({}),
  /** Every cursor is void (another epoch): pull. */
  resync: v.object({ epoch: uuid }),
} as const;

export type StreamEventName = keyof typeof STREAM_EVENTS;
export type StreamEvent<N extends StreamEventName> = v.InferOutput<(typeof STREAM_EVENTS)[N]>;
