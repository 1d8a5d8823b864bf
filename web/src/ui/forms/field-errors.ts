import * as v from 'valibot';

/** The first sentence about each field that doesn't fit its schema; empty when all do. */
export function fieldErrors(schema: v.GenericSchema, values: unknown): Record<string, string> {
  const read = v.safeParse(schema, values);
  const errors: Record<string, string> = {};
  for (const issue of read.issues ?? []) {
    const key = issue.path?.[0]?.key;
    const field = typeof key === 'string' ? key : '';
    errors[field] ??= issue.message;
  }
  return errors;
}
