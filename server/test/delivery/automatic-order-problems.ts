import { checkAutomaticOrders } from '#server/ops/invariants/automatic-orders.ts';
import type { TestDeps } from '../test-deps.ts';

/** What the checker finds wrong with automatic orders up to now (I3), each with what it is about. */
export async function automaticOrderProblems({
  clock,
  database,
}: Pick<TestDeps, 'clock' | 'database'>): Promise<string[]> {
  const until = new Date(clock.now());
  const found = await checkAutomaticOrders(database.db, { since: new Date(0), until });
  return found.map(({ subject, problem }) => `${subject} ${problem}`);
}
