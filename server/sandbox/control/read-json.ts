import type { Context } from 'hono';
import * as v from 'valibot';
import { Refusal } from '../refusal.ts';

/**
 * The request's JSON body, checked.
 * @throws Refusal input that names the first fault
 */
export async function readJson<T extends v.GenericSchema>(
  c: Context,
  schema: T,
): Promise<v.InferOutput<T>> {
  const text = await c.req.text();
  let value: unknown;
  try {
    value = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Refusal('input', 'The body isn’t valid JSON.');
  }
  return check(schema, value);
}

/** @throws Refusal input */
export function check<T extends v.GenericSchema>(schema: T, value: unknown): v.InferOutput<T> {
  const result = v.safeParse(schema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Refusal('input', `${v.getDotPath(issue) ?? 'body'}: ${issue.message}`);
}
