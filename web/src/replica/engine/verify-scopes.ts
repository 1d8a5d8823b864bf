import { Checksum } from '#shared/sync/checksum.ts';
import type { EntityName } from '#shared/sync/entities.ts';
import type { Scope } from '#shared/contract/scope.ts';
import type { VerifyRequest } from '#shared/sync/verify.ts';
import { placePrefix, rowsOf } from '../store/chunk.ts';
import { getClient } from '../outbox/push-outbox.ts';
import {
  deleteCursor,
  findCursor,
  findScope,
  listScopes,
  findEpoch,
} from '../store/scope-state.ts';
import type { StoreReader } from '../store/sync-store.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { DONE, type SyncWork, type Worked } from '../network/sync-network.ts';

const CHUNK_BATCH = 16;

/**
 * Compares what is held with the server's log and reads a scope that differs anew; one that was so a
 * short while ago isn't followed until it may be. A difference is a fault in the code, never a thing
 * that may happen: it is reported.
 */
export async function verifyScopes(work: SyncWork, signal: AbortSignal): Promise<Worked> {
  const scopes = await work.store.read(listScopes);
  const { clientId } = await work.store.write((tx) => getClient(tx, work.newId));
  for (const { scope } of scopes) {
    const claim = await work.store.read((tx) => claimOf(tx, scope));
    if (!claim) continue;
    const answered = await work.network.verify({ clientId, ...claim }, signal);
    if (answered.kind !== 'ok') return answered;
    if (answered.value.status !== 'different') continue;
    const { entities } = answered.value;
    work.report('The replica differs from the server', `${scope} ${entities.join(',')}`);
    const resynced = await resync(work, scope, signal);
    if (resynced.kind !== 'done') return resynced;
  }
  return DONE;
}

async function resync(work: SyncWork, scope: string, signal: AbortSignal): Promise<Worked> {
  const epoch = await work.store.read(findEpoch);
  if (epoch === undefined) return DONE;
  const loaded = await loadSnapshot(work, scope, epoch, signal);
  if (loaded.kind !== 'blocked') return loaded;
  // The next pull reads it anew when that may be; until then the replica is not called whole.
  await work.store.write((tx) => deleteCursor(tx, scope));
  return DONE;
}

/** What is held whole of a scope, at its cursor; undefined while that isn't known. */
async function claimOf(
  tx: StoreReader,
  scope: string,
): Promise<Omit<VerifyRequest, 'clientId'> | undefined> {
  const state = await findScope(tx, scope);
  const v = await findCursor(tx, scope);
  if (!state || state.loading || v === undefined) return undefined;
  const entities: VerifyRequest['entities'] = {};
  for (const entity of state.complete as EntityName[]) {
    if (state.more?.[entity] !== undefined) continue;
    entities[entity] = await sumOf(tx, placePrefix({ ...state, entity }), entity);
  }
  return { scope: scope as Scope, v, entities };
}

async function sumOf(
  tx: StoreReader,
  prefix: string,
  entity: EntityName,
): Promise<{ count: number; sum: string }> {
  const keys = await tx.chunkKeys(prefix);
  const sum = new Checksum();
  let count = 0;
  for (let next = 0; next < keys.length; next += CHUNK_BATCH) {
    for (const chunk of await tx.getChunks(keys.slice(next, next + CHUNK_BATCH))) {
      for (const { id, v } of rowsOf(entity, chunk)) {
        sum.add(entity, id, v);
        count += 1;
      }
    }
  }
  return { count, sum: sum.toString() };
}
