import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const TESTS = ['{server,shared,web,desktop}/**/*.{test,spec}.{ts,tsx}', '{web,desktop}/e2e/*.ts'];
/** Measures what people wait for, or takes pictures, each by itself on a quiet machine. */
const IS_BENCH = /e2e\/(bench-|shots|landing-pictures|lighthouse|shown-after)/;
/** A number of ms as the time a test, a wait or a page has. */
const OWN_DEADLINE =
  /\btimeout: (?:[\d_]+|[A-Z_]+_MS)|\bsetDefault\w*Timeout\((?:[\d_]|[A-Z_]+_MS)|^(?:\}|\)),? (?:\d{2,3}_\d{3}|[A-Z_]+_MS)\);?$|^  [A-Z_]+_MS,\n\);$/gm;

const ownDeadlines = (text: string): string[] =>
  [...text.matchAll(OWN_DEADLINE)].map(([found]) => found.trim());

test('every deadline of a test grows with the patience of the run', () => {
  const own = globSync(TESTS, { cwd: ROOT })
    .filter((file) => !file.includes('node_modules') && !IS_BENCH.test(file))
    .filter((file) => join(ROOT, file) !== import.meta.filename)
    .flatMap((file) =>
      ownDeadlines(readFileSync(join(ROOT, file), 'utf8')).map((found) => `${file}: ${found}`),
    );
  expect(own).toEqual([]);
});

test.each([
  ['a wait', 'await page.waitFor({ timeout: 5000 });'],
  ['a page', 'page.setDefaultTimeout(60_000);'],
  ['a test', "test('is slow', async () => {\n  await work();\n}, 120_000);"],
  ['a test that names its time', "test('is slow', async () => {\n  await work();\n}, SLOW_MS);"],
  [
    'a test in lines',
    "test(\n  'is slow',\n  async () => {\n    await work();\n  },\n  SLOW_MS,\n);",
  ],
])('a deadline of its own is found: %s', (_what, text) => {
  expect(ownDeadlines(text)).toHaveLength(1);
  expect(ownDeadlines(text.replace(/(5000|60_000|120_000|SLOW_MS)/, 'patiently($1)'))).toEqual([]);
});
