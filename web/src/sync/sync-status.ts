/**
 * How fresh the local copy is. `asOf`: the moment up to which it is known to be whole, milliseconds
 * since the epoch; undefined before the first reading has ended.
 */
export type SyncStatus =
  | { kind: 'starting' }
  | { kind: 'live' }
  | { kind: 'syncing'; asOf: number | undefined }
  | { kind: 'offline'; asOf: number | undefined }
  | { kind: 'log_in_again'; asOf: number | undefined }
  | { kind: 'upgrade'; asOf: number | undefined };
