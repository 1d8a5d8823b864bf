import type { Limit } from '#server/identity/limits/rate-limit.ts';
import type { TestDeps } from '../test-deps.ts';

/** Counts so many more uses of a limit, for each who has used some of it: as if they had asked as often again. */
export async function countUses(
  { clock, database }: Pick<TestDeps, 'clock' | 'database'>,
  { name }: Pick<Limit, 'name'>,
  uses: number,
): Promise<void> {
  await database.db
    .updateTable('rate_limit')
    .set((eb) => ({ used: eb('used', '+', uses) }))
    .where('name', '=', name)
    .where('resets_at', '>', new Date(clock.now()))
    .execute();
}
