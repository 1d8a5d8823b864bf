import type { ApiSchema } from './api-schema.ts';

const FORMATS: Record<string, string> = {
  uuid: 'id (UUID)',
  'date-time': 'instant (ISO 8601, UTC)',
};
const TYPES: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  null: 'null',
  object: 'object',
};

/** What a field holds, for readers: "whole number, 1 to 7", "text or null", "list of Post". */
export function fieldType(schema: ApiSchema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.anyOf) return choiceType(schema.anyOf);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return enumType(schema.enum);
  if (schema.type === 'array') return `list of ${fieldType(schema.items ?? {})}`;
  if (schema.properties) {
    const fields = Object.entries(schema.properties).map(
      ([name, field]) => `${name}: ${fieldType(field)}`,
    );
    return `{ ${fields.join(', ')} }`;
  }
  const type = FORMATS[schema.format ?? ''] ?? TYPES[schema.type ?? ''] ?? 'anything';
  return `${type}${range(schema)}`;
}

function choiceType(choices: readonly ApiSchema[]): string {
  const number = choices.find(({ type }) => type === 'integer' || type === 'number');
  const isDigits = number && choices.some(({ type }) => type === 'string');
  if (isDigits) return `${fieldType(number)}, or its digits as text`;
  return choices.map(fieldType).join(' or ');
}

function enumType(values: readonly unknown[]): string {
  const shown = values.filter((value) => value !== '').map(String);
  return shown.length > 12 ? `one of ${shown.length} words` : shown.join(' | ');
}

function range({ minimum, maximum }: ApiSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`;
  return minimum === undefined ? '' : `, at least ${minimum}`;
}
