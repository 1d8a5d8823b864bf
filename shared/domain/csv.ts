/** A spreadsheet takes text that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** Rows as a spreadsheet reads them (RFC 4180); text that looks like a formula stays text. */
export function csvOf(rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
