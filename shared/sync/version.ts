/**
 * Version of the sync calls and of the rows in them. A change of the wire that an older client could
 * misread needs a new number and a line in `wire-history.ts`; the server serves the oldest one too.
 */
export const SYNC_PROTOCOL = 1;
/** Oldest protocol the server still serves; older clients are told to upgrade (426). */
export const SYNC_PROTOCOL_OLDEST = 1;

/** Version of the row shapes (`entities.ts`). Rows are projected for these. */
export const SYNC_SCHEMA = 11;
export const SYNC_SCHEMA_OLDEST = 1;

/**
 * Version of each mutation's arguments, sent as `v`; an unknown one is refused as `invalid_input`. 0 is never
 * one: clients spend numbers with it.
 */
export const MUTATION_VERSION = 1;

/** Query parameters that every sync call carries: the versions its client speaks. */
export const VERSION_PARAMETERS = { protocol: 'protocol', schema: 'schema' } as const;

/**
 * Query parameter of every sync call that may be left out: whose replica asks. A session of somebody else
 * is answered with 401, because cookies are the browser's and may have changed hands meanwhile.
 */
export const USER_PARAMETER = 'user';
