import type { LedgerEntry } from '#shared/contract/credits.ts';

const COLUMNS = ['at', 'kind', 'description', 'credits', 'balance', 'id'] as const;
/** A spreadsheet takes text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** The ledger as a spreadsheet reads it (RFC 4180), newest first. */
export function ledgerCsv(entries: readonly LedgerEntry[]): string {
  const rows = entries.map((entry) => COLUMNS.map((column) => cell(entry[column])).join(','));
  return [COLUMNS.join(','), ...rows].map((line) => `${line}\r\n`).join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
