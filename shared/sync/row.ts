import * as v from 'valibot';
import { ENTITY_NAMES, FORMER_ENTITIES } from './entities.ts';
import { version } from '../contract/scope.ts';

export const entityName = v.picklist(ENTITY_NAMES);
/** What a request may name. */
export const askedEntity = v.picklist([...ENTITY_NAMES, ...FORMER_ENTITIES]);

/**
 * `[entity, id, v, row]`: a row as it is at version `v` or later; null: it is gone. Apply it when `v` is
 * not below what is held. What stands in a row is trusted, here and in snapshots and wherever it is read
 * later: it comes from our own server, whose tests hold its rows to `ENTITY_ROWS`, and a page of
 * 1,000 costs more to check than to store.
 */
export const WireRow = v.tuple([entityName, v.string(), version, v.nullable(v.looseObject({}))]);
export type WireRow = v.InferOutput<typeof WireRow>;
