import { expect, test } from 'vitest';
import { compareWithModel, STORE_CONFORMANCE } from '#web/testing/store-conformance.ts';
import { createMemoryStore } from './memory-store.fake.ts';

test.each(STORE_CONFORMANCE)('in memory: $name', async ({ run }) => {
  await expect(run(createMemoryStore())).resolves.toBeUndefined();
});

test('forty random histories of chunks read as plain rows would', async () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    await expect(compareWithModel(createMemoryStore(), seed), `seed ${seed}`).resolves.toBe(
      undefined,
    );
  }
});
