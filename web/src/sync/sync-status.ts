/**
 * How fresh the local copy is. `asOf`: the moment up to which it is known to be whole, milliseconds
 * since the epoch; undefined before the first reading has ended.
 */
export type SyncStatus =
  | { kind: 'starting' }
  | { kind: 'live' }
  | { kind: 'syncing'; asOf: number | undefined }
  | { kind: 'offline'; asOf: number | undefined }
  /**
   * `because`: the session was ended from elsewhere, and nothing but unsent changes may stay. `isUnknown`:
   * whether it was can't be told, so nothing is shown until the customer has logged in.
   */
  | {
      kind: 'log_in_again';
      asOf: number | undefined;
      because?: string | undefined;
      isUnknown?: boolean;
    }
  | { kind: 'upgrade'; asOf: number | undefined };
