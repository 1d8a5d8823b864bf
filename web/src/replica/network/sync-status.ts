/**
 * How fresh the replica is. `asOf`: the moment up to which it is known to be whole, milliseconds
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
      /** They aren't a member of the workspace any more: nothing may stay. */
      isGone?: boolean;
    }
  | { kind: 'upgrade'; asOf: number | undefined };

/** Whether the server is there as far as is known, so that an answer may be expected. */
export function isReachable({ kind }: SyncStatus): boolean {
  return kind === 'live' || kind === 'syncing' || kind === 'starting';
}
