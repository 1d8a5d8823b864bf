import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSteps } from './readme-steps.ts';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

test('every text of the README’s “Try it” can be played as it stands', () => {
  expect(readSteps(README)).toHaveLength(5);
});

test('a text that was changed, or left out, is told', () => {
  const changed = README.replace('share a picture.', 'share two pictures.');
  expect(() => readSteps(changed)).toThrow('share two pictures.');
  const shorter = README.replace(/^2\. Open the social.*$/m, '');
  expect(() => readSteps(shorter)).toThrow('leaves out a step');
});
