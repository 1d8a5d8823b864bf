/** The fields of an object's schema, in whatever it is wrapped. */
export function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  if ('entries' in schema) return Object.keys(schema.entries ?? {});
  if ('item' in schema) return fieldsOf(schema.item);
  return 'wrapped' in schema ? fieldsOf(schema.wrapped) : [];
}
