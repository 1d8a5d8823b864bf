import type { Generated } from 'kysely';
import type { WorkspaceId } from '#shared/domain/ids.ts';

/**
 * What a workspace can spend; changed only together with the ledger. The row's lock puts the ledger's
 * transactions of a workspace in order.
 */
export interface CreditBalanceTable {
  workspace_id: WorkspaceId;
  /** Never below 0 (checked by the database). */
  balance: number;
  /**
   * Credits ever given as a bonus and not taken back with a plan's money: that part can be spent only after a
   * first payment (D4).
   */
  bonus: number;
  /** Ledger transactions so far: the newest one's number. */
  entries: number;
}

/** Why a balance changed. `hold` and `settle` are an order's beginning and end. */
export type LedgerTransactionKind =
  | 'bonus'
  | 'pack'
  | 'hold'
  | 'settle'
  | 'shortfall'
  | 'refund'
  | 'correction'
  | 'money_back'
  | 'dispute';

/** One change of the credits, for ever: updates and deletes are refused by a trigger. */
export interface LedgerTransactionTable {
  workspace_id: WorkspaceId;
  id: string;
  /** Counts up from 1 in every workspace, without gaps. */
  number: number;
  /** What it means, e.g. `order:<id>:hold`; unique in the workspace, so it happens once. */
  key: string;
  kind: LedgerTransactionKind;
  /** Without a name and without anybody's own words, because it stays: see `LedgerWordsTable`. */
  description: string;
  /** Change of the balance; 0 where only held credits became spent ones. */
  credits: number;
  /** Balance afterwards. */
  balance: number;
  order_id: Generated<string | null>;
  charge_id: Generated<string | null>;
  at: Date;
}

/** The workspace's own credits, and the accounts they come from and go to. */
export type LedgerAccount =
  | 'credits'
  | 'bonus'
  | 'packs'
  | 'held'
  | 'spent'
  | 'shortfalls'
  | 'refunds'
  | 'corrections'
  | 'money_backs'
  | 'disputes';

/** Double entry: the entries of one transaction sum to 0 (checked by the database at the commit). */
export interface LedgerEntryTable {
  workspace_id: WorkspaceId;
  transaction_id: string;
  account: LedgerAccount;
  amount: number;
}

/** What customers read in place of the description: it names their post, or an operator wrote it. Deleted with the account. */
export interface LedgerWordsTable {
  workspace_id: WorkspaceId;
  transaction_id: string;
  words: string;
}

/** Global: promo windows that have given their bonus (once each, D8). */
export interface PromoGrantTable {
  /** When the window began and what tells it from others of the same moment. */
  window_id: string;
  granted_at: Date;
}
