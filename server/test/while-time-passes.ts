import type { TestDeps } from './test-deps.ts';

/**
 * Moves the clock on whenever somebody sleeps, until a promise has settled: a duplicate polls its owner. There is a
 * statement between two moves, so that the owner gets on too.
 */
export async function whileTimePasses<T>(
  { clock, database }: Pick<TestDeps, 'clock' | 'database'>,
  running: Promise<T>,
): Promise<T> {
  const isWaitedFor = (): Promise<boolean> =>
    Promise.race([running.then(() => false), clock.untilAsleep().then(() => true)]);
  while (await isWaitedFor()) {
    await database.db.selectFrom('attempt').select('key').execute();
    clock.advance(50);
  }
  return running;
}
