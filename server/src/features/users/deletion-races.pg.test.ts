import { expect, test } from 'vitest';
import { runDeletionRaces } from '#test/deletion-races/run-deletion-races.ts';
import { createTestDeps } from '#test/test-deps.ts';

const ROUNDS = 8;

test(`${ROUNDS} races of a deletion with each call that writes leave nothing of anybody behind`, async () => {
  const deps = await createTestDeps();
  const { answers, problems, refusedOnce } = await runDeletionRaces(deps, {
    rounds: ROUNDS,
    seed: 20_261_122,
  });
  await deps.database.close();
  expect(problems).toEqual([]);
  // Both sides have won, and a payment under way has held a deletion up.
  const words = Object.keys(answers);
  expect(words.filter((word) => /(no_session|session_ended)$/.test(word)).length).toBeGreaterThan(
    3,
  );
  expect(words.filter((word) => word.endsWith('200')).length).toBeGreaterThan(3);
  expect(refusedOnce).toBeGreaterThan(0);
});
