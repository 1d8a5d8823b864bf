import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import { ErrorAnswer } from '#shared/contract/answer.ts';
import { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { LikeOrder } from '#shared/contract/accounts/like-order.ts';
import { Post } from '#shared/contract/accounts/post.ts';
import { BillingInfo, CreditsTransaction, User } from '#shared/contract/people/user.ts';

/** The part of JSON Schema that the contract's schemas turn into. */
export interface ApiSchema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  anyOf?: ApiSchema[];
  items?: ApiSchema;
  properties?: Record<string, ApiSchema>;
  required?: string[];
  minimum?: number;
  maximum?: number;
}

/** What the answers consist of, by the names they have in the contract. */
const COMPONENTS = {
  User,
  ConnectedAccount,
  BillingInfo,
  CreditsTransaction,
  Post,
  LikeOrder,
  ErrorAnswer,
};

export const COMPONENT_NAMES: ReadonlySet<string> = new Set(Object.keys(COMPONENTS));

/** Rules that only code can state (`check`) have no JSON Schema; `rulesOf` gives their sentences. */
const COMMON = {
  target: 'draft-2020-12',
  errorMode: 'ignore',
  definitions: COMPONENTS,
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
} as const satisfies ConversionConfig;

export function componentSchemas(): Record<string, ApiSchema> {
  const schemas: Record<string, unknown> = toJsonSchemaDefs(COMPONENTS, {
    ...COMMON,
    typeMode: 'output',
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, simplify(schema as ApiSchema)]),
  );
}

/** `'input'`: as sent by the caller; `'output'`: as answered by us. */
export function apiSchema(schema: v.GenericSchema, typeMode: 'input' | 'output'): ApiSchema {
  const { $schema: _, $defs: __, ...rest } = toJsonSchema(schema, { ...COMMON, typeMode });
  return simplify(rest as ApiSchema);
}

/**
 * "A number or its digits" comes out as `anyOf: [number, string]` beside `type: integer`, which no
 * text satisfies: type and bounds belong to the number alone.
 */
function simplify(schema: ApiSchema): ApiSchema {
  const { anyOf, type, minimum, maximum, ...rest } = schema;
  const bounds = {
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
  const own = { ...rest, ...simplifyParts(schema) };
  if (!anyOf) return { ...(type && { type }), ...own, ...bounds };
  const choices = anyOf.map(simplify);
  if (type !== 'integer') return { ...own, anyOf: choices };
  return {
    ...own,
    anyOf: choices.map((choice) =>
      choice.type === 'number' ? { ...choice, type: 'integer', ...bounds } : choice,
    ),
  };
}

function simplifyParts({ properties, items }: ApiSchema): ApiSchema {
  const entries = properties && Object.entries(properties);
  return {
    ...(entries && {
      properties: Object.fromEntries(entries.map(([name, value]) => [name, simplify(value)])),
    }),
    ...(items && { items: simplify(items) }),
  };
}

/** The sentences with which a schema refuses values, each once, in the order they are checked. */
export function rulesOf(schema: unknown): string[] {
  return Array.from(new Set(sentences(schema)));
}

function sentences(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = 'message' in part && typeof part.message === 'string' ? [part.message] : [];
  const inner = 'wrapped' in part ? sentences(part.wrapped) : [];
  const pipe = 'pipe' in part && Array.isArray(part.pipe) ? part.pipe : [];
  return [...own, ...inner, ...pipe.flatMap(sentences)];
}
