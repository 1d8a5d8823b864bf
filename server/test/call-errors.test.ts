import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Call } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';

const ROOT = join(import.meta.dirname, '../..');
const TESTS = globSync('server/src/**/*.{db,pg}.test.ts', { cwd: ROOT }).map((file) =>
  readFileSync(join(ROOT, file), 'utf8'),
);
/** Asked of every call that needs a session, in `app.db.test.ts`. */
const ASKED_OF_ALL = new Set(['not_yours']);

/** The errors a call declares that no test file naming the call expects. */
function unasked(
  name: string,
  { errors }: Pick<Call, 'errors'>,
  tests: readonly string[],
): string[] {
  const asking = tests.filter((text) => new RegExp(`\\b${name}\\b`).test(text));
  return errors.filter(
    (code) => !ASKED_OF_ALL.has(code) && !asking.some((text) => text.includes(`'${code}'`)),
  );
}

test('every call stands in a test, and so does every error it declares', () => {
  const calls: Array<[string, Call]> = Object.entries(CALLS);
  const missing = calls.flatMap(([name, call]) => {
    const isCalled = TESTS.some((text) => new RegExp(`\\b${name}\\b`).test(text));
    return [...(isCalled ? [] : [name]), ...unasked(name, call, TESTS).map((e) => `${name}: ${e}`)];
  });
  expect(missing).toEqual([]);
});

test('an error no test asks for is found', () => {
  const call = { errors: ['not_found', 'price_changed'] } as const;
  const tests = ["call(CALLS.someCall); 'not_found'", "call(CALLS.other); 'price_changed'"];
  expect(unasked('someCall', call, tests)).toEqual(['price_changed']);
});
