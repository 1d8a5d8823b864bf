import type { Generated } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';

/**
 * Where a refund stands.
 *
 *   owed ──────> refunded      (the gateway gave it back)
 *    ^ └───────> rejected ──> settled     (an operator: by other means than this product)
 *    └── an operator: again ──┘
 *
 * A lost answer leaves it `owed`; from the second time on the gateway is asked for it before it is sent.
 */
const REFUND_STATES = ['owed', 'refunded', 'rejected', 'settled'] as const;
export type RefundState = (typeof REFUND_STATES)[number];

/** What still has to go back: what the gateway refused is promised all the same. */
export const PROMISED_STATES = ['owed', 'rejected'] as const satisfies RefundState[];

/** Part of a charge, or all of it, that goes back. The key is written before the gateway is called. */
export interface RefundTable {
  workspace_id: WorkspaceId;
  id: string;
  charge_id: string;
  /**
   * `returned`: the charge bought nothing, or an operator took back what it bought. `gateway`: an operator
   * gave it back at the gateway. `balance`: left over from plan changes of before, when these had a billing
   * balance.
   */
  reason: 'balance' | 'money_back' | 'returned' | 'gateway';
  gateway_key: string;
  /** What the gateway calls it, where it was made there without our product. */
  gateway_refund_id: Generated<string | null>;
  amount_cents: number;
  created_at: Date;
  state: Generated<RefundState>;
  /** When the gateway was first asked; null: never. */
  sent_at: Date | null;
  /** Set with the states `refunded` and `settled`. */
  refunded_at: Date | null;
  rejected_at: Date | null;
  /** The gateway's code. */
  rejected_reason: string | null;
  /** When it is sent, or sent again; only while it is owed. */
  next_attempt_at: Date | null;
  fence: Generated<number>;
}
