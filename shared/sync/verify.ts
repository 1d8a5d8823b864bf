import * as v from 'valibot';
import { uuid } from '../contract/fields.ts';
import { askedEntity, entityName } from './row.ts';
import { scopeName, version } from '../contract/scope.ts';

export const VERIFY_PATH = '/user/sync/verify';

/** What a client holds whole of one scope; an entity it holds a part of is left out. */
export const VerifyRequest = v.object({
  clientId: uuid,
  scope: scopeName,
  /** The client's cursor. */
  v: version,
  entities: v.record(
    askedEntity,
    v.object({
      count: v.number(),
      /** `checksum` over its rows. */
      sum: v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)),
    }),
  ),
});
export type VerifyRequest = v.InferOutput<typeof VerifyRequest>;

export const VerifyAnswer = v.variant('status', [
  v.object({ status: v.literal('same') }),
  /** The scope has moved on meanwhile: pull, then ask again. */
  v.object({ status: v.literal('behind') }),
  /** Resync the scope. */
  v.object({ status: v.literal('different'), entities: v.array(entityName) }),
]);
export type VerifyAnswer = v.InferOutput<typeof VerifyAnswer>;
