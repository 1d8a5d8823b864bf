import { passesLuhn } from './card.ts';
import { UUID_PATTERN } from './ids.ts';

/*
 * What looks like a card's number, wherever it stands: digits of a published range and length whose last one is
 * the check digit. One rule for what is refused and for what is searched.
 *
 * Left out on purpose, because they can't be told from what isn't a card: airlines' own cards (15 digits from
 * 1, as ids of the network begin), Visa's of 13 digits from 43 and 49 (phones of Austria and Germany), and
 * Maestro's below 16 digits outside the ranges that its banks publish (phones of Asia and South America).
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

/** Alone, or with one space, hyphen or dot between digits. */
const BETWEEN = String.raw`[ .\u00A0\u2010\u2011-]`;
const RUNS = new RegExp(String.raw`\d+(?:${BETWEEN}\d+)*`, 'g');
/** How many digits stand together on cards. */
const CARD_GROUPS = /^(?:\d+|(?:4,){2,}[1-5]|4,6,[45]|4,3,3,3|6,1[0-3])$/;
/** Two phone numbers beside each other; no card has its number in two halves. */
const TWO_PHONES = /^(\d{7,9})[ .\u00A0](\d{7,9})$/;
/** Ids, hashes and fractions have digits by chance. */
const BY_CHANCE = new RegExp(
  [
    UUID_PATTERN,
    String.raw`(?<![0-9a-wyz])(?=\d*[a-f])[0-9a-f]{32,}(?![0-9a-z])`,
    String.raw`(?<![\d.])\d{1,3}\.\d{10,}(?![\d.])`,
  ].join('|'),
  'gi',
);

/** What a text has that holds a card's number, as a pattern for the database, where it may find too much. */
export const CARD_NUMBER_LIKELY = `(^|[^0-9])[2-689](?:[ .\u00A0\u2010\u2011-]?[0-9]){${SHORTEST - 1}}`;

/** The first card number of a text, its digits alone. */
export function findCardNumber(text: string): string | undefined {
  if (text.length < SHORTEST) return undefined;
  for (const [run] of text.replaceAll(BY_CHANCE, 'x').matchAll(RUNS)) {
    const found = findInRun(run);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The text with a dot for each digit of a run that has a card's number. */
export function maskCardNumbers(text: string): string {
  if (text.length < SHORTEST) return text;
  const kept = text.match(BY_CHANCE) ?? [];
  const parts = text
    .split(BY_CHANCE)
    .map((part) =>
      part.replaceAll(RUNS, (run) => (findInRun(run) ? run.replaceAll(/\d/g, '•') : run)),
    );
  return parts.map((part, index) => `${part}${kept[index] ?? ''}`).join('');
}

/** Groups beside each other may be one number: what stands before and after it is another one's. */
function findInRun(run: string): string | undefined {
  if (run.length < SHORTEST || TWO_PHONES.test(run)) return undefined;
  const groups = run.split(/\D/);
  for (const first of groups.keys()) {
    let digits = '';
    let lengths = '';
    for (let last = first; last < groups.length && digits.length < LONGEST; last += 1) {
      const group = groups[last] ?? '';
      digits += group;
      lengths += lengths === '' ? group.length : `,${group.length}`;
      const isWhole = first === 0 && last === groups.length - 1 && digits.length > PHONE_LONGEST;
      const isNumber = CARD_NUMBER.test(digits) && passesLuhn(digits);
      if (isNumber && (isWhole || CARD_GROUPS.test(lengths))) return digits;
    }
  }
  return undefined;
}

/** Whether a card number stands anywhere in names and values, however deep. */
export function holdsCardNumber(received: unknown): boolean {
  const left: unknown[] = [received];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string' || Number.isInteger(value)) {
      if (findCardNumber(String(value)) !== undefined) return true;
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) left.push(name, inner);
    }
  }
  return false;
}
