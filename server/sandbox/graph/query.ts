import { GraphError } from './errors.ts';
import { FieldSyntaxError, parseFields, type FieldNode } from './fields.ts';

/** What a Business Discovery call asks about its target, apart from the name. */
export interface DiscoveryQuery {
  profileFields: readonly string[];
  media: MediaQuery | undefined;
  /** Fields of the asking account itself, beside business_discovery. */
  ownFields: readonly string[];
}

export interface MediaQuery {
  fields: readonly string[];
  limit: number;
  after: string | undefined;
}

const PROFILE_FIELDS = new Set([
  'id',
  'ig_id',
  'username',
  'name',
  'biography',
  'website',
  'profile_picture_url',
  'followers_count',
  'follows_count',
  'media_count',
]);
/** `shortcode` and `thumbnail_url` fail the call, as they may on the real network. */
const MEDIA_FIELDS = new Set([
  'id',
  'caption',
  'media_type',
  'media_product_type',
  'media_url',
  'permalink',
  'timestamp',
  'like_count',
  'comments_count',
  'view_count',
  'username',
  'owner',
  'children',
]);
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
  return {
    profileFields,
    media,
    ownFields: nodes
      .filter((node) => node !== discovery)
      .map((node) => known(node.name, PROFILE_FIELDS)),
  };
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

function known(name: string, list: ReadonlySet<string>): string {
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
