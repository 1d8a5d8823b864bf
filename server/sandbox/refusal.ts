import type { Context } from 'hono';
import * as v from 'valibot';

type RefusalCode =
  | 'username_taken'
  | 'username_invalid'
  | 'unknown_account'
  | 'unknown_post'
  | 'file_kind'
  | 'file_size'
  | 'input';

type RefusalStatus = 400 | 404 | 409 | 413 | 415;

const STATUS: Record<RefusalCode, RefusalStatus> = {
  username_taken: 409,
  username_invalid: 400,
  unknown_account: 404,
  unknown_post: 404,
  file_kind: 415,
  file_size: 413,
  input: 400,
};

/** The network refuses a request. The message is a sentence for the person who made it. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  constructor(code: RefusalCode, message: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
  }

  /** HTTP status that fits. */
  get status(): RefusalStatus {
    return STATUS[this.code];
  }
}

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
