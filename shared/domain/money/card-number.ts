import { passesLuhn } from './card.ts';
import { type DigitRun, digitRuns, unescaped } from '../words/digit-runs.ts';
import { UUID_PATTERN } from '../ids.ts';

/*
 * What looks like a card's number, wherever it stands: digits of a published range and length whose last one is
 * the check digit. One rule for what is refused and for what is searched.
 *
 * Left out on purpose, because they can't be told from what isn't a card: airlines' own cards (15 digits from
 * 1, as ids of the network begin), Visa's of 13 digits from 43 and 49 (phones of Austria and Germany), and
 * Maestro's below 16 digits outside the ranges that its banks publish (phones of Asia and South America). Nor is a
 * number seen that words or line breaks part, that is written in words, roman or circled digits or backwards,
 * wrapped (base64, escaped twice), or cut over calls or over fields that don't stand beside each other.
 */
const RANGES = [
  // Visa.
  String.raw`4\d{15}(?:\d{3})?`,
  String.raw`4[0-24-8]\d{11}`,
  // Mastercard.
  String.raw`5[1-5]\d{14}`,
  String.raw`2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}`,
  // American Express, Diners Club, JCB.
  String.raw`3[47]\d{13}`,
  String.raw`3(?:0[0-59]|[689]\d)\d{11}`,
  String.raw`35(?:2[89]|[3-8]\d)\d{12}`,
  // Maestro, Discover, UnionPay, RuPay, Verve.
  String.raw`(?:5[06-8]|6\d)\d{14,17}`,
  String.raw`(?:5018|5020|5038|5893|6304|6759|676[1-3]|6767)\d{8,11}`,
  // Mir, RuPay, Troy.
  String.raw`220[0-4]\d{12}`,
  String.raw`8[12]\d{14}`,
  String.raw`9792\d{12}`,
];
const CARD_NUMBER = new RegExp(`^(?:${RANGES.join('|')})$`);
const SHORTEST = 12;
const LONGEST = 19;
/** As long as phone numbers are, too: these count only when they are grouped as cards are. */
const PHONE_LONGEST = 13;

/** How many digits stand together on cards. */
const CARD_GROUPS = /^(?:\d+|(?:4,){2,}[1-5]|4,6,[45]|4,3,3,3|6,1[0-3]|(?:[48],)+[48])$/;
/** Two phone numbers beside each other. Two of eight digits can't be told from the halves of a card. */
const TWO_PHONES = /^(?:[79],[789]|8,[79])$/;
/** Thousands of an amount. */
const AMOUNT = /^[123](?:,3)+$/;
/** Of a number that was cut over fields beside each other. */
const FIELD_GROUPS = /^(?:8,8|4,12|12,4|6,10|10,6|4,4,8|8,4,4|4,8,4|4,4,4,4|4,6,5)$/;
const FIELDS_LIMIT = 4;
/** Ids, hashes and fractions have digits by chance. */
const BY_CHANCE = new RegExp(
  [
    UUID_PATTERN,
    String.raw`(?<![0-9a-wyz])(?=\d*[a-f])[0-9a-f]{32,}(?![0-9a-z])`,
    String.raw`(?<![\d.])\d{1,3}\.\d{10,}(?![\d.])`,
  ].join('|'),
  'gi',
);

/**
 * What a text of the database has that holds a card's number, where it may find too much. Commas part the columns
 * of a row.
 */
export const CARD_NUMBER_LIKELY = `(^|[^0-9])[2-689](?:[ \t./_+\u00A0\u00B7\u200B-\u200D\u2010-\u2015\u2060\u2212\uFEFF-]{0,3}[0-9]){${SHORTEST - 1}}`;

/** The first card number of a text, its digits alone. */
export function findCardNumber(text: string): string | undefined {
  if (text.length < SHORTEST) return undefined;
  const read = unescaped(text);
  const found = findPlain(read);
  return found ?? (read === text ? undefined : findPlain(text));
}

function findPlain(text: string): string | undefined {
  for (const run of digitRuns(text.replaceAll(BY_CHANCE, 'x'))) {
    const found = findInRun(run);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text with a dot for each digit of a run that has a card's number; for all, where it stands escaped. */
export function maskCardNumbers(text: string): string {
  if (text.length < SHORTEST) return text;
  const kept = text.match(BY_CHANCE) ?? [];
  const parts = text.split(BY_CHANCE).map(maskRuns);
  const masked = parts.map((part, index) => `${part}${kept[index] ?? ''}`).join('');
  return findCardNumber(masked) === undefined ? masked : dotted(masked);
}

function maskRuns(text: string): string {
  let masked = '';
  let done = 0;
  for (const run of digitRuns(text)) {
    if (findInRun(run) === undefined) continue;
    masked += text.slice(done, run.from) + dotted(text.slice(run.from, run.to));
    done = run.to;
  }
  return masked + text.slice(done);
}

const dotted = (text: string): string => text.replaceAll(/\p{Nd}/gu, '•');

/** Groups beside each other may be one number: what stands before and after it is another one's. */
function findInRun({ groups, gaps }: DigitRun): string | undefined {
  for (const first of groups.keys()) {
    // On cards none is shorter, but where the same stands between all of them.
    if ((groups[first]?.length ?? 0) < 4 && gaps[first - 1] === gaps[first]) continue;
    let digits = '';
    const lengths: number[] = [];
    for (let last = first; last < groups.length && digits.length < LONGEST; last += 1) {
      const group = groups[last] ?? '';
      digits += group;
      lengths.push(group.length);
      if (digits.length < SHORTEST) continue;
      const gap = gapAround(gaps, first, last);
      if (isGrouped(lengths.join(','), digits.length, gap) && isNumber(digits)) return digits;
    }
  }
  return undefined;
}

/** What stands between these groups, when it's the same everywhere and something else before and after them. */
function gapAround(gaps: readonly string[], first: number, last: number): string | undefined {
  const [gap = ''] = gaps.slice(first, last);
  const isEdge = gaps[first - 1] !== gap && gaps[last] !== gap;
  return isEdge && gaps.slice(first, last).every((each) => each === gap) ? gap : undefined;
}

/** Groups as on cards, or any with the same between them that aren't known to be something else. */
function isGrouped(lengths: string, count: number, gap: string | undefined): boolean {
  if (CARD_GROUPS.test(lengths)) return true;
  if (gap === undefined || count <= PHONE_LONGEST) return false;
  const isAmount = /^[,.]$/.test(gap) && AMOUNT.test(lengths);
  return !isAmount && (gap === '-' || !TWO_PHONES.test(lengths));
}

const isNumber = (digits: string): boolean => CARD_NUMBER.test(digits) && passesLuhn(digits);

/** Whether a card number stands anywhere in names and values, however deep, or in fields beside each other. */
export function holdsCardNumber(received: unknown): boolean {
  const left: unknown[] = [received];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') {
      if (findCardNumber(value) !== undefined) return true;
    } else if (typeof value === 'number') {
      if (isNumberOfCard(value)) return true;
    } else if (typeof value === 'object' && value !== null) {
      if (isCutOver(Object.values(value))) return true;
      for (const [name, inner] of Object.entries(value)) left.push(name, inner);
    }
  }
  return false;
}

/** Of a number beyond what numbers hold exactly, the last digits are lost; none of ours is one. */
function isNumberOfCard(value: number): boolean {
  if (!Number.isInteger(value)) return false;
  const digits = String(Math.abs(value));
  return Number.isSafeInteger(value)
    ? findCardNumber(digits) !== undefined
    : CARD_NUMBER.test(digits);
}

function isCutOver(values: readonly unknown[]): boolean {
  let parts: string[] = [];
  for (const value of values) {
    const part =
      typeof value === 'string' && value.length < LONGEST ? value.replaceAll(/\s/g, '') : '';
    parts = /^\d{4,12}$/.test(part) ? [...parts, part].slice(-FIELDS_LIMIT) : [];
    for (let first = 0; first < parts.length - 1; first += 1) {
      const cut = parts.slice(first);
      const lengths = cut.map(({ length }) => length).join(',');
      if (FIELD_GROUPS.test(lengths) && isNumber(cut.join(''))) return true;
    }
  }
  return false;
}
