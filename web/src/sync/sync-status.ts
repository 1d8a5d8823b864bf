/**
 * How fresh the local copy is. `asOf`: the moment up to which it is known to be whole, milliseconds
 * since the epoch; undefined before the first reading has ended.
 */
export type SyncStatus =
  | { kind: 'starting' }
  | { kind: 'live' }
  | { kind: 'syncing'; asOf: number | undefined }
  | { kind: 'offline'; asOf: number | undefined }
  /** `because`: the session was ended from elsewhere, and nothing but unsent changes may stay. */
  | { kind: 'log_in_again'; asOf: number | undefined; because?: string | undefined }
  | { kind: 'upgrade'; asOf: number | undefined };
