import type { LedgerEntry } from '#shared/contract/credits.ts';

const COLUMNS = ['at', 'kind', 'description', 'credits', 'balance', 'id'] as const;
/** A spreadsheet takes text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** The names of the columns, the first line. */
export function ledgerCsvHead(): string {
  return `${COLUMNS.join(',')}\r\n`;
}

/** Changes of the ledger as a spreadsheet reads them (RFC 4180), a line each. */
export function ledgerCsvRows(entries: readonly LedgerEntry[]): string {
  return entries
    .map((entry) => `${COLUMNS.map((column) => cell(entry[column])).join(',')}\r\n`)
    .join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
