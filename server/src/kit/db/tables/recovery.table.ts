import type { Generated } from 'kysely';

/**
 * One password recovery of one browser.
 *
 *   code sent ──right code──> granted ──new password──> gone
 *       └── 5 tries or 10 minutes: worth nothing, swept up later
 *
 * Rows for addresses nobody has look the same: nothing here tells them apart.
 */
export interface RecoveryTable {
  /** SHA-256 of the 256-bit token in the browser's cookie; a new token with the grant. */
  token_hash: Buffer;
  /** What the answer of S§7 calls `otp`: names the request, opens nothing. */
  id: string;
  /** Keyed hash of the address. */
  email_hash: string;
  /** Keyed hash of the code; null once it was right: from then on the row is a grant. */
  code_hash: Buffer | null;
  tries: Generated<number>;
  created_at: Date;
  expires_at: Date;
}
