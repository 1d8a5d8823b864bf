/** One requested field: `media.after(C).limit(12){id,caption}`. */
export interface FieldNode {
  name: string;
  /** Modifiers by name, e.g. `limit` -> `12`. */
  modifiers: ReadonlyMap<string, string>;
  /** Requested subfields; undefined when there are no braces. */
  fields: readonly FieldNode[] | undefined;
}

export class FieldSyntaxError extends Error {
  constructor(at: number, expected: string) {
    super(`Syntax error "Expected ${expected}" at character ${at}`);
    this.name = 'FieldSyntaxError';
  }
}

interface Cursor {
  text: string;
  at: number;
}

/**
 * Parses a `fields` expression.
 * @throws FieldSyntaxError
 */
export function parseFields(text: string): readonly FieldNode[] {
  const cursor: Cursor = { text, at: 0 };
  const fields = readList(cursor);
  if (cursor.at < text.length) throw new FieldSyntaxError(cursor.at, 'end of string');
  return fields;
}

function readList(cursor: Cursor): FieldNode[] {
  const fields = [readField(cursor)];
  while (take(cursor, ',')) fields.push(readField(cursor));
  return fields;
}

function readField(cursor: Cursor): FieldNode {
  const name = readWord(cursor);
  const modifiers = new Map<string, string>();
  while (take(cursor, '.')) {
    const modifier = readWord(cursor);
    if (!take(cursor, '(')) throw new FieldSyntaxError(cursor.at, '"("');
    const end = cursor.text.indexOf(')', cursor.at);
    if (end < 0) throw new FieldSyntaxError(cursor.text.length, '")"');
    modifiers.set(modifier, cursor.text.slice(cursor.at, end).trim());
    cursor.at = end + 1;
  }
  if (!take(cursor, '{')) return { name, modifiers, fields: undefined };
  const fields = readList(cursor);
  if (!take(cursor, '}')) throw new FieldSyntaxError(cursor.at, '"}"');
  return { name, modifiers, fields };
}

function readWord(cursor: Cursor): string {
  skipSpace(cursor);
  const start = cursor.at;
  while (isWordCode(cursor.text.charCodeAt(cursor.at))) cursor.at += 1;
  if (cursor.at === start) throw new FieldSyntaxError(start, 'a field name');
  return cursor.text.slice(start, cursor.at);
}

function take(cursor: Cursor, sign: string): boolean {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== sign) return false;
  cursor.at += 1;
  skipSpace(cursor);
  return true;
}

function skipSpace(cursor: Cursor): void {
  while (cursor.text.charCodeAt(cursor.at) <= 32) cursor.at += 1;
}

/** Lower-case letters, digits, underscore. */
function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 95;
}
