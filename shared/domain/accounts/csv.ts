/** What a spreadsheet takes for a formula, also behind guards: those of ours, or quotes that somebody wrote. */
const GUARDED = /^'*[=+\-@\t\r]/;

/** What tells Excel that a file is UTF-8; it stands before the first cell of a file that is saved. */
export const UTF8_MARK = '\uFEFF';

/**
 * Rows as a spreadsheet reads them (RFC 4180); text that looks like a formula stays text. Semicolons and tabs
 * are quoted, too: LibreOffice takes each for the end of a cell unless told otherwise.
 */
export function csvOf(rows: ReadonlyArray<ReadonlyArray<string | number>>): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = GUARDED.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A cell of a file as it was before it was written: without the guard of ours, and no other quote. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && GUARDED.test(text) ? text.slice(1) : text;
