import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passesLuhn } from './card.ts';
import {
  CARD_NUMBER_LIKELY,
  findCardNumber,
  holdsCardNumber,
  maskCardNumbers,
} from './card-number.ts';

/** How many times as many texts are tried as in a whole run. */
const TIMES = Number(process.env['CARD_TEXTS'] ?? 1);

/** Something of a kind that a rule doesn't hold for. */
function exception<Value>(
  kind: fc.Arbitrary<Value>,
  rule: (value: Value) => boolean,
  numRuns = 1000,
): Value | undefined {
  const { counterexample } = fc.check(fc.property(kind, rule), {
    numRuns: numRuns * TIMES,
    seed: 17,
  });
  return counterexample?.[0];
}

const digits = (min: number, max = min) =>
  fc.stringMatching(new RegExp(String.raw`^\d{${min},${max}}$`));

/** A number of a length with its check digit. */
const numbered = (prefix: string, length: number): fc.Arbitrary<string> =>
  digits(length - prefix.length - 1).map((middle) => {
    const found = Array.from({ length: 10 }, (_, check) => `${prefix}${middle}${check}`).find(
      passesLuhn,
    );
    return found ?? '';
  });

const CARDS: ReadonlyArray<[brand: string, prefix: string, lengths: readonly number[]]> = [
  ['Visa', '4', [16, 19]],
  ['Visa of 13', '4222', [13]],
  ['Mastercard', '51', [16]],
  ['Mastercard from 2', '2720', [16]],
  ['American Express', '37', [15]],
  ['Diners Club', '36', [14]],
  ['Diners Club from 30', '309', [14]],
  ['JCB', '3566', [16]],
  ['Discover', '6011', [16, 19]],
  ['UnionPay', '62', [16, 17, 18, 19]],
  ['Maestro of its banks', '6759', [12, 13, 14, 15, 16, 17, 18, 19]],
  ['Maestro of its banks from 5', '5018', [12, 13, 14, 15, 16]],
  ['Maestro', '56', [16, 18, 19]],
  ['Mir', '2204', [16]],
  ['Troy', '9792', [16]],
  ['RuPay', '82', [16]],
];
const card = fc.oneof(
  ...CARDS.flatMap(([, prefix, lengths]) => lengths.map((length) => numbered(prefix, length))),
);
const grouped = (number: string, by: string): string => number.match(/.{1,4}/g)?.join(by) ?? number;

test.each(CARDS)('a number of %s is found', (_brand, prefix, lengths) => {
  const any = fc.oneof(...lengths.map((length) => numbered(prefix, length)));
  expect(exception(any, (number) => findCardNumber(number) === number, 300)).toBeUndefined();
});

test('a number is found within a text, alone or in groups of four, and by the database too', () => {
  const likely = new RegExp(CARD_NUMBER_LIKELY);
  const by = fc.constantFrom('', ' ', '-', '.', '\u00A0');
  const typed = fc.tuple(card, by, fc.constantFrom('', 'card ', 'Order 12: '));
  const isFound = ([number, between, before]: [string, string, string]): boolean => {
    const text = `${before}${grouped(number, between)}, 12/27`;
    return number.startsWith(findCardNumber(text) ?? '-') && likely.test(text);
  };
  expect(exception(typed, isFound)).toBeUndefined();
});

test('another last digit is no card number', () => {
  const other = numbered('4', 16).map(
    (number) => `${number.slice(0, -1)}${(Number(number.at(-1)) + 1) % 10}`,
  );
  expect(exception(other, (number) => findCardNumber(number) === undefined)).toBeUndefined();
});

/** Country code and how many digits follow it: the longest mobile numbers of the world, and some short ones. */
const PHONES: ReadonlyArray<[code: string, min: number, max: number]> = [
  ...(['1', '7', '20', '27', '30', '31', '33', '34', '39', '52', '54', '81'] as const).map(
    (code): [string, number, number] => [code, 9, 10],
  ),
  ...(['40', '41', '44', '45', '46', '47', '48', '351', '358', '380'] as const).map(
    (code): [string, number, number] => [code, 8, 10 - (code.length - 2)],
  ),
  ...(['420', '421'] as const).map((code): [string, number, number] => [code, 9, 9]),
  ...(['43', '49', '55', '86'] as const).map((code): [string, number, number] => [code, 9, 11]),
  ...(['60', '61', '62', '63', '64', '65', '66', '57', '58', '56', '91'] as const).map(
    (code): [string, number, number] => [code, 8, code === '62' ? 11 : 10],
  ),
];
const phone = fc
  .oneof(
    ...PHONES.map(([code, min, max]) =>
      // No country's numbers begin with a 0 after its code.
      digits(min - 1, max - 1).chain((rest) =>
        fc.integer({ min: 1, max: 9 }).map((first) => ({ code, rest: `${first}${rest}` })),
      ),
    ),
  )
  .chain(({ code, rest }) => {
    const parts = [rest.slice(0, 3), rest.slice(3, 6), rest.slice(6)].filter(Boolean);
    return fc.constantFrom(
      `+${code}${rest}`,
      `${code}${rest}`,
      `00${code}${rest}`,
      `+${code} ${parts.join(' ')}`,
      `00 ${code} ${parts.join('-')}`,
      `${code} ${rest.slice(0, 4)} ${rest.slice(4)}`,
      parts.join('.'),
      `${parts.join(' ')} / ${parts.join(' ')}`,
    );
  });

test('no phone number is taken for a card', () => {
  const isNone = (text: string): boolean => findCardNumber(text) === undefined;
  expect(exception(phone, isNone, 15_000)).toBeUndefined();
});

test('two phone numbers beside each other are no card, and a card in any other groups is one', () => {
  const phones = fc
    .constantFrom(7, 9)
    .chain((first) =>
      fc
        .tuple(numbered('4', 16), fc.constantFrom(' ', ', ', '/'))
        .map(([number, by]) => number.slice(0, first) + by + number.slice(first)),
    );
  expect(exception(phones, (text) => findCardNumber(text) === undefined, 300)).toBeUndefined();
  const cuts = fc.constantFrom([2, 4], [5, 10], [6, 8], [10, 12], [6], [4, 8], [1, 7]);
  const typed = fc.tuple(numbered('4', 16), cuts, fc.constantFrom(' ', '-', '.'));
  const isFound = ([number, [first = 0, second = 16], by]: [
    string,
    readonly number[],
    string,
  ]): boolean => {
    const groups = [number.slice(0, first), number.slice(first, second), number.slice(second)];
    return findCardNumber(groups.filter(Boolean).join(by)) === number;
  };
  expect(exception(typed, isFound)).toBeUndefined();
});

/** What may stand between digits, seen or not. */
const SEEN = ' \t,/.-_+\u00B7\u00A0\u2009\u202F\u3000\u2010\u2011\u2012\u2013\u2014\u2015\u2212';
const UNSEEN = ['\u200B', '\u200D', '\u2060', '\uFEFF', '\u00AD', '\uFE0F\u20E3'];
const SEPARATORS = [...Array.from(SEEN), ...UNSEEN, '  ', ' \t ', ', ', ' / ', ' - ', '--'];
/** The zeros of ASCII, Arabic, Persian, Devanagari, Thai, full-width and mathematical digits. */
const ZEROS = [0x30, 0x6_60, 0x6_f0, 0x9_66, 0xe_50, 0xff_10, 0x1_d7_ce, 0x1_d7_f6];
const inDigits = (text: string, zero: number): string =>
  text.replaceAll(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const json = (text: string): string =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const percent = (text: string): string =>
  Array.from(
    new TextEncoder().encode(text),
    (byte) => `%${byte.toString(16).padStart(2, '0')}`,
  ).join('');
const cuts = fc.constantFrom(/.{1,4}/g, /.{8}/g, /^.{4}|.{6}|.{5}$/g, /./g);
const spelling = fc
  .record({
    number: fc.oneof(numbered('4', 16), numbered('51', 16), numbered('6011', 16)),
    groups: cuts,
    by: fc.constantFrom('', ...SEPARATORS),
    zero: fc.constantFrom(...ZEROS),
    escape: fc.constantFrom(String, String, json, percent, encodeURIComponent),
    around: fc.constantFrom(['', ''], ['card: ', '; 12/27'], ['[', ']'], ['x', 'x'], ['\n', '\n3']),
  })
  .map(({ number, groups, by, zero, escape, around: [before = '', after = ''] }) => {
    const written = inDigits((number.match(groups) ?? []).join(by), zero);
    return { number, text: before + escape(written) + after };
  });

test('a number is found whatever is between its digits, in any digits, and escaped', () => {
  const isFound = ({ number, text }: { number: string; text: string }): boolean =>
    findCardNumber(text) === number && findCardNumber(maskCardNumbers(text)) === undefined;
  expect(exception(spelling, isFound, 5000)).toBeUndefined();
  expect(findCardNumber(`${'4 2 '.repeat(8).trim()}, 12/27, 123`)).toBe('4242424242424242');
});

test('the digits of every script count as what they are', () => {
  const all = Array.from({ length: 0x11_00_00 }, (_, code) => code)
    .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Nd}/u.test(character));
  const zeros = all.filter((_, index) => index % 10 === 0);
  expect(zeros.length).toBeGreaterThan(60);
  const number = '4081234567890172';
  const unread = zeros.filter(
    (zero) => findCardNumber(inDigits(number, zero.codePointAt(0) ?? 0)) !== number,
  );
  expect(unread).toEqual([]);
});

test('a number that is cut over fields beside each other is found', () => {
  expect(holdsCardNumber({ a: '42424242', b: '42424242' })).toBe(true);
  expect(holdsCardNumber({ a: '4242', b: '4242', c: ' 4242 ', d: '4242', e: 'x' })).toBe(true);
  expect(holdsCardNumber({ deep: ['3782', '822463', '10005'] })).toBe(true);
  expect(holdsCardNumber({ note: ['5105 1051', '0510 5100'] })).toBe(true);
  expect(holdsCardNumber({ a: '42424242', b: 'x', c: '42424242' })).toBe(false);
  expect(holdsCardNumber({ credits: 4242, likes: 4242, min: 4242, max: 4242 })).toBe(false);
});

test('a number of JSON is found, also where its last digits are lost', () => {
  const of = (text: string): unknown => JSON.parse(`{"n":${text}}`);
  expect(holdsCardNumber(of('4242424242424242.0'))).toBe(true);
  expect(holdsCardNumber(of('4242424242424242e0'))).toBe(true);
  expect(holdsCardNumber(of('6212345678901234569'))).toBe(true);
  expect(holdsCardNumber(of('4242424242424241'))).toBe(false);
});

const moment = fc.date({
  min: new Date('2020-01-01'),
  max: new Date('2060-01-01'),
  noInvalidDate: true,
});
const ours = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => `payment ${id} of ${id}`),
  fc.stringMatching(/^[0-9a-f]{64}$/),
  fc.stringMatching(/^\\x[0-9a-f]{64}$/),
  fc.stringMatching(/^(?:pm|pi|seti|cus|evt)_[0-9A-Za-z]{24}$/),
  fc.ulid(),
  fc
    .uint8Array({ min: 0, max: 255, minLength: 16, maxLength: 96 })
    .map((bytes) => Buffer.from(bytes).toString('base64url')),
  fc.integer({ min: 0, max: 999_999 }).map((at) => `${at}-${at % 7}`),
  // Accounts and posts of the network.
  digits(13).map((rest) => `1784${rest}`),
  digits(15).map((rest) => `18${rest}`),
  digits(3, 9),
  digits(9).map((zip) => `${zip.slice(0, 5)}-${zip.slice(5)}`),
  moment.map((at) => at.toISOString()),
  moment.map((at) => at.toISOString().replace('T', ' ').replace('Z', '456+00')),
  moment.map((at) => at.toISOString().replaceAll(/\D/g, '').slice(0, 14)),
  moment.map((at) => `${at.toISOString().slice(0, 10)} ${at.toISOString().slice(0, 10)}`),
  moment.map((at) => String(at.getTime())),
  moment.map((at) => String(Math.floor(at.getTime() / 1000))),
  moment.map((at) => at.toLocaleString('en-US', { timeZone: 'UTC' })),
  moment.map((at) => at.toLocaleDateString('de-DE', { timeZone: 'UTC' })),
  fc.integer({ min: 0, max: 2_000_000_000 }).map((cents) => (cents / 100).toLocaleString('en-US')),
  fc.integer({ min: 0, max: 2_000_000_000 }).map((cents) => (cents / 100).toLocaleString('de-DE')),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 999 }).map(String),
);

test('none of our ids, hashes, times, zips and figures is taken for a card', () => {
  const isNone = (text: string): boolean => findCardNumber(`(${text}; ${text})`) === undefined;
  expect(exception(ours, isNone, 15_000)).toBeUndefined();
});

test('masked, a text has no card number any more, and nothing else has changed', () => {
  const by = fc.constantFrom('', ' ', '-', '.');
  const typed = fc.tuple(
    card,
    by,
    ours.filter((text) => !/[\d.-]$/.test(text)),
  );
  const isMasked = ([number, between, before]: [string, string, string]): boolean => {
    const text = `${before} (${grouped(number, between)}) x`;
    const dots = grouped('•'.repeat(number.length), between);
    return maskCardNumbers(text) === `${before} (${dots}) x`;
  };
  expect(exception(typed, isMasked)).toBeUndefined();
  expect(exception(ours, (text) => maskCardNumbers(text) === text)).toBeUndefined();
  expect(maskCardNumbers('Mozilla/5.0 (4242 4242 4242 4242) Chrome/143.0.7499.40')).toBe(
    'Mozilla/5.0 (•••• •••• •••• ••••) Chrome/143.0.7499.40',
  );
});

test('it is found in names and values, however deep, and a fraction is none', () => {
  expect(holdsCardNumber({ deep: [{ in: { a: ['x4242424242424242x'] } }] })).toBe(true);
  expect(holdsCardNumber({ '4242424242424242': 1 })).toBe(true);
  expect(holdsCardNumber([4_242_424_242_424_242])).toBe(true);
  expect(holdsCardNumber({ part: 0.424_242_424_242_424_2, none: null })).toBe(false);
});
