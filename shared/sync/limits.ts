/** Bounds of the sync calls, kept by both sides. */
export const SYNC_LIMITS = {
  /** Scopes one client follows. */
  scopes: 64,
  /** Rows and bytes of one page of `pull`, whichever comes first. */
  pullRows: 1000,
  pullBytes: 512 * 1024,
  /** Mutations and bytes of one `push`. */
  pushMutations: 100,
  pushBytes: 256 * 1024,
  /** Rows of one chunk of a snapshot. */
  chunkRows: 128,
  /** A larger delta goes out as `head`, and the client pulls. */
  deltaBytes: 64 * 1024,
  /** A stream whose client reads slower than this much behind gets only `head`. */
  streamQueueBytes: 256 * 1024,
  heartbeatMs: 20_000,
  /** Accounts pinned for offline use. */
  pinnedAccounts: 200,
} as const;
