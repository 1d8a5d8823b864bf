import type { TestDeps } from './test-deps.ts';

/** Moves the clock on until a promise has settled, for whoever waits by it: a duplicate polls its owner. */
export async function whileTimePasses<T>(
  { clock, database }: Pick<TestDeps, 'clock' | 'database'>,
  running: Promise<T>,
): Promise<T> {
  const state = { isOver: false };
  const over = running.finally(() => {
    state.isOver = true;
  });
  over.catch(() => undefined);
  while (!state.isOver) {
    await database.db.selectFrom('attempt').select('key').execute();
    clock.advance(50);
  }
  return over;
}
