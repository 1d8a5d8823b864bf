import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Call } from '#shared/contract/call.ts';
import { CALLS } from '#shared/contract/calls.ts';
import { testsOf, unaskedErrors } from './asked-errors.ts';

const ROOT = join(import.meta.dirname, '../..');
const besideThis = (file: string): string => readFileSync(join(import.meta.dirname, file), 'utf8');
/** What several files ask through; nothing else of the first one’s file, whose customers are in most tests. */
const [CHANGE_PLAN = ''] =
  /^export async function changePlanTo\([^]*?^\}$/m.exec(besideThis('money/paying-customer.ts')) ??
  [];
const CHANGE_MANY = besideThis('delivery/bulk-runs.ts');
const TESTS = globSync('server/src/**/*.{db,pg}.test.ts', { cwd: ROOT }).flatMap((file) =>
  testsOf([CHANGE_PLAN, CHANGE_MANY, readFileSync(join(ROOT, file), 'utf8')].join('\n')),
);
/** Asked of every call that needs a session, in `app.db.test.ts`. */
const ASKED_OF_ALL = 'not_yours';

test('every call stands in a test, and so does every error it declares', () => {
  const calls: Array<[string, Call]> = Object.entries(CALLS);
  const missing = calls.flatMap(([name, call]) => {
    const isCalled = TESTS.some((text) => new RegExp(`\\b${name}\\b`).test(text));
    const unasked = unaskedErrors(name, call, TESTS).filter((code) => code !== ASKED_OF_ALL);
    return [...(isCalled ? [] : [name]), ...unasked.map((code) => `${name}: ${code}`)];
  });
  expect(missing).toEqual([]);
});

test('an error no test asks for is found', () => {
  const call = { errors: ['not_found', 'price_changed'] } as const;
  const tests = ["call(CALLS.someCall); 'not_found'", "call(CALLS.other); 'price_changed'"];
  expect(unaskedErrors('someCall', call, tests)).toEqual(['price_changed']);
});

test('an error that another test of the same file asks of another call doesn’t count', () => {
  const file = [
    'const ask = () => client.call(CALLS.someCall, {});',
    'function askTwice() {\n  return [ask(), ask()];\n}',
    "test('one', () => {\n  expect(askTwice()).toBe('not_found');\n});",
    "test('other', () => {\n  expect(client.call(CALLS.other)).toBe('price_changed');\n});",
  ].join('\n\n');
  const call = { errors: ['not_found', 'price_changed'] } as const;
  expect(unaskedErrors('someCall', call, testsOf(file))).toEqual(['price_changed']);
});
