import type { AskedChange, BulkOperation, planBulk } from '#shared/contract/accounts/bulk.ts';
import type { CallData } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { runBulk } from '#server/use-cases/bulk/bulk.job.ts';
import type { Customer } from '../people/customers.ts';
import { Died, dyingDeps, Lifetime } from '../processes/dying-process.ts';
import type { TestDeps } from '../test-deps.ts';

/** What somebody is shown of a change before it is made. */
export interface Shown {
  operationId: string;
  planned: number;
  today: number;
  month: number;
  code: string | undefined;
  items: CallData<typeof planBulk>['items'];
}

/** Plans the same change of each of these accounts. */
export async function planMany(
  deps: TestDeps,
  { client, user }: Customer,
  names: readonly string[],
  change: AskedChange,
): Promise<Shown> {
  const operationId = deps.ids.uuid();
  const changes = names.map((igUsername) => ({ igUsername, change }));
  const asked = { userId: user.id, operationId, from: 0, changes };
  const { data, code } = (await client.call(CALLS.planBulk, asked)).body;
  return { operationId, code, planned: 0, today: 0, month: 0, items: [], ...data };
}

export const startMany = async (
  { client, user }: Customer,
  { operationId, planned, today }: Shown,
) => (await client.call(CALLS.startBulk, { userId: user.id, operationId, planned, today })).body;

export const undoMany = async ({ client, user }: Customer, { operationId }: Shown) =>
  (await client.call(CALLS.undoBulk, { userId: user.id, operationId })).body;

/** Makes all changes whose turn has come. */
export async function runMany(deps: TestDeps): Promise<void> {
  while ((await runBulk(deps)) === 'again') continue;
}

export async function newestMany({ client, user }: Customer): Promise<BulkOperation | undefined> {
  return (await client.call(CALLS.findBulk, { userId: user.id })).body.data?.[0];
}

/** What an operation hasn't made, with the reasons. */
export async function reasonsOf(
  { client, user }: Customer,
  operationId: string,
  after?: number,
): Promise<Array<[igUsername: string, reason: string | null]>> {
  const { body } = await client.call(CALLS.findBulkItems, { userId: user.id, operationId, after });
  return (body.data ?? []).map(({ igUsername, reason }) => [igUsername, reason]);
}

/** Longer than a worker holds what it has claimed. */
const LEASE_MS = 241_000;

/** Has changes made by workers that die, each a step later than the one before. @returns how many have died */
export async function runDying(deps: TestDeps): Promise<number> {
  for (let dieAfter = 1; ; dieAfter += 1) {
    const lifetime = new Lifetime(dieAfter);
    await runBulk(dyingDeps(deps, lifetime)).catch((error: unknown) => {
      if (!(error instanceof Died)) throw error;
    });
    if (!lifetime.isDead()) return dieAfter - 1;
    deps.clock.advance(LEASE_MS);
  }
}
