const DESCRIBED = new Set([
  'type',
  'entries',
  'item',
  'items',
  'key',
  'literal',
  'options',
  'pipe',
  'requirement',
  'value',
  'wrapped',
]);

/**
 * What of a schema decides which values pass, as plain JSON: no messages and no functions, so that
 * only a change of the wire changes it.
 */
export function describeSchema(schema: unknown): unknown {
  if (schema instanceof RegExp) return schema.source;
  if (Array.isArray(schema)) return schema.map(describeSchema);
  if (typeof schema !== 'object' || schema === null) {
    return typeof schema === 'function' ? 'function' : schema;
  }
  const isSchema = 'kind' in schema && 'type' in schema;
  const parts = Object.entries(schema)
    .filter(([name]) => !isSchema || DESCRIBED.has(name))
    .map(([name, value]): [string, unknown] => [name, describeSchema(value)])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(parts);
}
