import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { AskedChange } from '#shared/contract/accounts/bulk.ts';
import { BULK_LIMITS } from '#shared/domain/accounts/bulk.ts';
import { BULK_BATCH } from '#server/use-cases/bulk/bulk.job.ts';
import { viewBulk, viewUnmade } from '#server/use-cases/bulk/bulk.service.ts';
import { planBulk } from '#server/use-cases/bulk/plan-bulk.service.ts';
import { runJanitor } from '../money/checkout-books.ts';
import type { openPaymentWorld } from './payment-world.ts';
import { pickNumber } from '../billing-sim/sim-world.ts';
import { seededRandom } from '../seeded.ts';

type World = Awaited<ReturnType<typeof openPaymentWorld>>;

type Session = Parameters<typeof viewBulk>[1];

/** Plans a change of these accounts page by page. */
export async function planPages(
  deps: World['deps'],
  session: Session,
  names: readonly string[],
  change: AskedChange,
): Promise<{ operationId: string; planned: number; today: number }> {
  const operationId = deps.ids.uuid();
  let shown = { planned: 0, today: 0 };
  for (let from = 0; from < names.length; from += BULK_LIMITS.page) {
    const page = names.slice(from, from + BULK_LIMITS.page);
    const changes = page.map((igUsername) => ({ igUsername, change }));
    shown = await planBulk(deps, session, { operationId, from, changes });
  }
  return { operationId, ...shown };
}

/** The reason of each account that an operation hasn't changed, page by page. */
export async function listPages(
  deps: World['deps'],
  session: Session,
  operationId: string,
): Promise<Map<string, string | null>> {
  const listed = new Map<string, string | null>();
  for (let after = -1; ;) {
    const page = await viewUnmade(deps, session, { operationId, after });
    for (const { igUsername, reason } of page) listed.set(igUsername, reason);
    const last = page.at(-1);
    if (!last) return listed;
    after = last.position;
  }
}

const LEASE_MS = 241_000;
const WORKERS = 2;

/**
 * Two workers at a time, for as many changes as one takes at a time one, carry an operation out and are killed at seeded moments, until
 * it is done and nothing that they left behind waits any more.
 * @returns how many were killed
 */
export async function killBulkWorkers(
  { deps, isKilled }: Pick<World, 'deps' | 'isKilled'>,
  session: Session,
  {
    scene,
    lives,
    seed,
  }: {
    scene: Parameters<World['isKilled']>[2];
    /** Steps after which a worker is killed. */
    lives: readonly [shortest: number, longest: number];
    seed: number;
  },
): Promise<number> {
  const random = seededRandom(seed);
  let deaths = 0;
  for (;;) {
    const [operation] = await viewBulk(deps, session);
    if (!operation || operation.state === 'done') break;
    // One that finds nothing left to take would only start.
    const length = Math.min(WORKERS, Math.ceil(operation.waiting / BULK_BATCH) || 1);
    const ends = Array.from({ length }, () => pickNumber(random, ...lives));
    const killed = await Promise.all(ends.map((dieAfter) => isKilled('bulk', dieAfter, scene)));
    deaths += killed.filter(Boolean).length;
    deps.clock.advance(LEASE_MS);
  }
  await runJanitor(deps, 70 * MINUTE_MS, 5 * MINUTE_MS);
  process.stdout.write(`${deaths} workers killed\n`);
  return deaths;
}
