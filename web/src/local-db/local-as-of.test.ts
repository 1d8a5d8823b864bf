import { expect, test } from 'vitest';
import { keepAsOf } from '../sync/pull-scopes.ts';
import { readAsOf } from './local-as-of.ts';
import { createMemoryStore } from './memory-store.fake.ts';

test('a page reads the time of its copy as the sync keeps it', async () => {
  const store = createMemoryStore();
  expect(await store.read(readAsOf)).toBeUndefined();
  await store.write((tx) => keepAsOf(tx, 1_795_000_000_000));
  expect(await store.read(readAsOf)).toBe(1_795_000_000_000);
});
