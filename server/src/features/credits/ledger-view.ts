import type { LedgerEntry } from '#shared/contract/credits.ts';
import type { LedgerRow } from './ledger.repository.ts';
import type { LedgerTransactionKind } from './ledger.table.ts';

/** The customer's word for each kind: what is held has left the balance, so it reads as spent. */
const SHOWN: Record<LedgerTransactionKind, LedgerEntry['kind']> = {
  bonus: 'bonus',
  pack: 'pack',
  hold: 'spend',
  settle: 'release',
  shortfall: 'shortfall',
  refund: 'refund',
  correction: 'correction',
  money_back: 'refund',
  dispute: 'refund',
};

/** A change of the balance as customers see it. */
export function viewLedgerRow(row: LedgerRow): LedgerEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    kind: SHOWN[row.kind],
    description: row.words ?? row.description,
    credits: row.credits,
    balance: row.balance,
  };
}
