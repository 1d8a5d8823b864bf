import type { Chance } from './schema-values.ts';

const deep = (levels: number): unknown => {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { a: value };
  return value;
};

/** What a field may hold that it shouldn't; made when asked, because some are large. */
const VALUES: ReadonlyArray<() => unknown> = [
  ['', ' ', '\t\n', '0', '-1', '1e309', 'NaN', 'Infinity', 'null', 'undefined', '[object Object]'],
  ['\u0000', 'a\u0000b', '\ud800', '\udfff\ud83d', '\ufeff', '\u202eabc', 'ﷺ'.repeat(50)],
  ['👩‍👩‍👧‍👦'.repeat(30), 'Z̴̛͉a̸l̷go', '１２３４', '٣٤٥', 'İ', 'ß', 'K', 'ﬁ', '\u2028', '\u0085'],
  ["' or 1=1--", "'; drop table app_user;--", '$1', '%s%n', '${7*7}', '{{7*7}}', '\\', '\\u0000'],
  ['../../../../etc/passwd', '..%2f..%2f', 'file:///etc/passwd', 'http://169.254.169.254/'],
  ['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', 'javascript:alert(1)'],
  [
    'a@b',
    `${'a'.repeat(64)}@${'b'.repeat(63)}.test`,
    `${'a'.repeat(300)}@x.test`,
    'a@b.test\r\nBcc: c@d.test',
  ],
  ['+275760-09-13T00:00:00.000Z', '+275760-09-13T00:00:00.001Z', '0000-01-01T00:00:00Z'],
  [
    '-271821-04-20T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2026-02-30T00:00:00Z',
    '2026-11-20T24:00:00Z',
  ],
  ['99999999999999999999999999999999', '9223372036854775808', '2147483648', '00000000000000000001'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', '00000000-0000-0000-0000-000000000000', '__proto__'],
  ['constructor', 'toString', 'hasOwnProperty', 'Etc/GMT+12', 'utc', '/etc/localtime'],
  [0, -0, -1, 0.1, 1e21, 1e308, -1e308, 2 ** 31, 2 ** 53, 2 ** 63, Number.MIN_VALUE],
  [true, false, null],
]
  .flat()
  .map((value) => () => value);

const LARGE: ReadonlyArray<() => unknown> = [
  () => [],
  () => ({}),
  () => [[]],
  () => ['x'],
  () => ({ toString: 'x', valueOf: 1, length: 3 }),
  () => ({ $gt: '' }),
  () => Array.from({ length: 3000 }, (_, index) => index),
  () => 'x'.repeat(10_000),
  () => 'é'.repeat(20_000),
  () => '9'.repeat(30_000),
  () => ' '.repeat(50_000),
  () => `${'a.'.repeat(20_000)}@x`,
  () => 'x'.repeat(70_000),
  () => deep(500),
];

/** One value nobody should send, for any field. */
export function hostileValue(chance: Chance): unknown {
  const list = chance() < 0.75 ? VALUES : LARGE;
  return list[Math.floor(chance() * list.length)]?.();
}

/** Keys that a careless merge would take for the object's own workings. */
export const POLLUTION_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
];
/** What `__proto__` would spread if it were followed; the run looks for it at its end. */
export const POLLUTION = { fuzzPolluted: true, isAdmin: true };
