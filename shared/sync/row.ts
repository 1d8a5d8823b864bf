import * as v from 'valibot';
import { ENTITY_NAMES } from './entities.ts';

/** A version of a scope: rises by one with each transaction that changes a row of it. */
export const version = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

export const entityName = v.picklist(ENTITY_NAMES);

/**
 * `[entity, id, v, row]`: a row as it is at version `v` or later; null: it is gone. Apply it when `v` is
 * not below what is held. What stands in a row is trusted, here and in snapshots and wherever it is read
 * later: it comes from our own server, whose tests hold its rows to `ENTITY_ROWS`, and a page of
 * 1,000 costs more to check than to store.
 */
export const WireRow = v.tuple([entityName, v.string(), version, v.nullable(v.looseObject({}))]);
export type WireRow = v.InferOutput<typeof WireRow>;
