import { GraphError } from './errors.ts';
import { MEDIA_FIELDS, PROFILE_FIELDS } from './media-json.ts';

/** What a Business Discovery call asks about its target, apart from the name. */
export interface DiscoveryQuery {
  profileFields: readonly string[];
  media: MediaQuery | undefined;
}

export interface MediaQuery {
  fields: readonly string[];
  limit: number;
  after: string | undefined;
}

const DEFAULT_LIMIT = 25;
const LIMIT_MAX = 100;

/**
 * Reads the parsed expression of `GET /{own id}`; undefined when it doesn't ask for a discovery.
 * @throws GraphError on unknown fields and too large a limit
 */
export function toDiscoveryQuery(nodes: readonly FieldNode[]): DiscoveryQuery | undefined {
  const discovery = nodes.find((node) => node.name === 'business_discovery');
  if (!discovery) return undefined;
  const profileFields: string[] = [];
  let media: MediaQuery | undefined;
  for (const node of discovery.fields ?? []) {
    if (node.name === 'media') media = toMediaQuery(node);
    else profileFields.push(known(node.name, PROFILE_FIELDS));
  }
  for (const node of nodes) if (node !== discovery) known(node.name, PROFILE_FIELDS);
  return { profileFields, media };
}

function toMediaQuery(node: FieldNode): MediaQuery {
  const limitText = node.modifiers.get('limit');
  const limit = limitText === undefined ? DEFAULT_LIMIT : Number(limitText);
  if (!Number.isInteger(limit) || limit < 1) {
    throw new GraphError('invalid', '(#100) Param limit must be a positive integer');
  }
  if (limit > LIMIT_MAX) {
    throw new GraphError(
      'too_much',
      "Please reduce the amount of data you're asking for, then retry your request",
    );
  }
  return {
    fields: toMediaFields(node.fields),
    limit,
    after: node.modifiers.get('after'),
  };
}

/** @throws GraphError on an unknown field */
export function toMediaFields(nodes: readonly FieldNode[] | undefined): readonly string[] {
  return nodes ? nodes.map((node) => known(node.name, MEDIA_FIELDS)) : ['id'];
}

function known(name: string, list: ReadonlyMap<string, unknown>): string {
  if (list.has(name)) return name;
  throw new GraphError('invalid', `(#100) Tried accessing nonexisting field (${name})`);
}

/**
 * Parses the `fields` parameter.
 * @throws GraphError on a syntax error
 */
export function parseExpression(text: string): readonly FieldNode[] {
  try {
    return parseFields(text);
  } catch (error) {
    if (error instanceof FieldSyntaxError) throw new GraphError('syntax', error.message);
    throw error;
  }
}

/** One requested field: `media.after(C).limit(12){id,caption}`. */
interface FieldNode {
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
