import type * as v from 'valibot';
import type { ErrorCode } from './error-code.ts';

/** How a call's input travels: urlencoded form, JSON body, or query string. */
export type Encoding = 'form' | 'json' | 'query';

/**
 * One call of the API (S§7): the single source of its path, input and answer for the server's
 * routing, the client, the API page and the contract tests.
 */
export interface Call<
  Input extends v.GenericSchema = v.GenericSchema,
  Data extends v.GenericSchema = v.GenericSchema,
  Access extends 'required' | 'none' = 'required' | 'none',
> {
  method: 'GET' | 'POST';
  path: `/${string}`;
  encoding: Encoding;
  /** 'required': answers 401 without a session. */
  session: Access;
  summary: string;
  input: Input;
  data: Data;
  /** Fields that stand beside `data` in the answer, where S§7 names some. */
  extra?: v.GenericSchema;
  /** Errors of this call's own; input, session and origin errors are common to all. */
  errors: readonly ErrorCode[];
}

export type CallInput<C> = C extends Call<infer Input> ? v.InferInput<Input> : never;
export type CallParsed<C> = C extends Call<infer Input> ? v.InferOutput<Input> : never;
export type CallData<C> = C extends Call<v.GenericSchema, infer Data> ? v.InferOutput<Data> : never;

/** Keeps the exact types of a call's schemas, and whether it needs a session. */
export function defineCall<
  Input extends v.GenericSchema,
  Data extends v.GenericSchema,
  Access extends 'required' | 'none',
>(call: Call<Input, Data, Access>): Call<Input, Data, Access> {
  return call;
}
