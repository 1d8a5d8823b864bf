import { Checksum } from '#shared/sync/checksum.ts';
import { type EntityName, isEntity } from '#shared/sync/entities.ts';
import type { VerifyAnswer, VerifyRequest } from '#shared/sync/verify.ts';
import type { Deps } from '#server/kit/deps.ts';
import type { ScopeOwner } from './scope-owner.ts';
import { listLiveKeys, readHeads } from './sync-log.repository.ts';

/** Compares what a client holds of a scope with the log; a difference is logged and is a fault of ours. */
export async function verify(
  { database: { db }, log }: Pick<Deps, 'database' | 'log'>,
  owner: ScopeOwner,
  request: VerifyRequest,
): Promise<VerifyAnswer> {
  const isAt = async (): Promise<boolean> =>
    (await readHeads(db, [owner])).get(owner.scope)?.v === request.v;
  if (!(await isAt())) return { status: 'behind' };
  const keys = await listLiveKeys(db, owner);
  // Read in a second statement: it may show more than the version compared with.
  if (!(await isAt())) return { status: 'behind' };
  const sums = new Map<EntityName, { count: number; sum: Checksum }>();
  for (const { entity, id, v } of keys) {
    const held = sums.get(entity) ?? { count: 0, sum: new Checksum() };
    held.count += 1;
    held.sum.add(entity, id, v);
    sums.set(entity, held);
  }
  const none = new Checksum().toString();
  const claimed = Object.entries(request.entities) as Array<
    [keyof typeof request.entities, { count: number; sum: string }]
  >;
  const entities = claimed.flatMap(([entity, { count, sum }]) => {
    if (!isEntity(entity)) return [];
    const held = sums.get(entity);
    const isSame = count === (held?.count ?? 0) && sum === (held?.sum.toString() ?? none);
    return isSame ? [] : [entity];
  });
  if (entities.length === 0) return { status: 'same' };
  log.warn('replica differs', { reason: `${owner.scope} ${entities.join(',')}` });
  return { status: 'different', entities };
}
