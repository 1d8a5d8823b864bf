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
  /**
   * Instead of `input`, where cards are entered in the gateway's own fields: a body that has a
   * `confirmationToken`, and nothing of a card.
   */
  tokenInput?: v.GenericSchema;
  data: Data;
  /** Fields that stand beside `data` in the answer, where S§7 names some. */
  extra?: v.GenericSchema;
  /**
   * Errors of this call's own; input, session, role and origin errors are common to all, and to all that cost
   * money a manager's limit.
   */
  errors: readonly ErrorCode[];
}

type InputOf<C> =
  | (C extends Call<infer Input> ? Input : never)
  | (C extends { tokenInput: infer Token extends v.GenericSchema } ? Token : never);

export type CallInput<C> = v.InferInput<InputOf<C>>;
export type CallParsed<C> = v.InferOutput<InputOf<C>>;
export type CallData<C> = C extends Call<v.GenericSchema, infer Data> ? v.InferOutput<Data> : never;

/** Keeps the exact types of a call's schemas, and whether it needs a session. */
export function defineCall<
  Input extends v.GenericSchema,
  Data extends v.GenericSchema,
  Access extends 'required' | 'none',
  More extends { tokenInput?: v.GenericSchema },
>(call: Call<Input, Data, Access> & More): Call<Input, Data, Access> & More {
  return call;
}
