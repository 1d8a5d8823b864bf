import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectStart } from '../testing/expect-start.ts';
import { runMain } from '../testing/run-main.ts';

test('the app starts though Electron is ready only after its entry, opens its window and quits', async () => {
  const run = await runMain(join(import.meta.dirname, 'main.ts'));
  expectStart(run);
  expect(run.facts['errors']).toEqual([]);
});

test('an entry that waits for Electron to be ready is found out', async () => {
  const entry = join(import.meta.dirname, '../testing/waiting-entry.ts');
  await expect(runMain(entry)).rejects.toThrow('unsettled top-level await');
});
