import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { expectStart } from '../testing/expect-start.ts';
import { runMain } from '../testing/run-main.ts';
import { buildDesktop } from './bundle-server.ts';

beforeAll(buildDesktop);

test('the built main process starts: it opens the window, serves its pages and quits', async () => {
  const run = await runMain(join(import.meta.dirname, '../../out/main/main.js'));
  expectStart(run);
  expect(run.facts['errors']).toEqual([]);
});
