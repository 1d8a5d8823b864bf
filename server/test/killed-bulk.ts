import { MINUTE_MS } from '#shared/domain/durations.ts';
import { viewBulk } from '#server/use-cases/bulk/bulk.service.ts';
import { runJanitor } from './checkout-books.ts';
import type { openPaymentWorld } from './payment-world.ts';
import { seededRandom } from './seeded.ts';

type World = Awaited<ReturnType<typeof openPaymentWorld>>;

const LEASE_MS = 241_000;
const WORKERS = 2;

/**
 * Two workers at a time carry an operation out and are killed at seeded moments, until it is done and nothing
 * that they left behind waits any more.
 * @returns how many were killed
 */
export async function killBulkWorkers(
  { deps, isKilled }: Pick<World, 'deps' | 'isKilled'>,
  session: Parameters<typeof viewBulk>[1],
  {
    scene,
    accounts,
    seed,
  }: { scene: Parameters<World['isKilled']>[2]; accounts: number; seed: number },
): Promise<number> {
  const random = seededRandom(seed);
  let deaths = 0;
  const isDone = async (): Promise<boolean> => (await viewBulk(deps, session))[0]?.state === 'done';
  while (!(await isDone())) {
    const lives = Array.from(
      { length: WORKERS },
      () => accounts + Math.floor(random() * accounts * 4),
    );
    const killed = await Promise.all(lives.map((dieAfter) => isKilled('bulk', dieAfter, scene)));
    deaths += killed.filter(Boolean).length;
    deps.clock.advance(LEASE_MS);
  }
  await runJanitor(deps, 70 * MINUTE_MS, 5 * MINUTE_MS);
  process.stdout.write(`${deaths} workers killed\n`);
  return deaths;
}
