import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtMain } from '../testing/built.ts';
import { playScenario } from '../testing/play.ts';
import { SCENARIOS } from '../testing/scenarios/table.ts';

let main: string;
beforeAll(async () => {
  main = join(await builtMain(), 'main/main.js');
});

test.each(Object.keys(SCENARIOS))('the built main process does so too: %s', async (name) => {
  expect(await playScenario(main, name)).toEqual({
    read: expect.any(Array),
    heldUp: expect.any(Array),
  });
});
