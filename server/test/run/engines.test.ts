import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ON_BOTH_ENGINES } from './engines.ts';

const ROOT = join(import.meta.dirname, '../../..');

test.for(ON_BOTH_ENGINES)('%s, run on both engines, names tests that are there', (pattern) => {
  expect(globSync(pattern, { cwd: ROOT })).not.toEqual([]);
});
