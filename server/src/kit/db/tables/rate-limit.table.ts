/** How often something was done in the current window; shared by all nodes. */
export interface RateLimitTable {
  /** What is limited, e.g. "login". */
  name: string;
  /** Keyed hash of who is limited: the table shows no address and no e-mail. */
  key_hash: string;
  used: number;
  /** When the window ends; a row past it counts as absent. */
  resets_at: Date;
}
