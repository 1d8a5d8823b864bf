import type { LedgerEntry } from '#shared/contract/credits.ts';
import { csvOf } from '#shared/domain/csv.ts';

const COLUMNS = ['at', 'kind', 'description', 'credits', 'balance', 'id'] as const;

/** The names of the columns, the first line. */
export function ledgerCsvHead(): string {
  return csvOf([COLUMNS]);
}

/** Changes of the ledger as a spreadsheet reads them, a line each. */
export function ledgerCsvRows(entries: readonly LedgerEntry[]): string {
  return csvOf(entries.map((entry) => COLUMNS.map((column) => entry[column])));
}
