import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { ApiError } from '#server/kit/api-error.ts';
import { COMMON_WORDS } from './common-words.ts';

export const GUESSABLE_PASSWORD = 'This password is too easy to guess. Please choose another one.';

/** Who chooses it: a password made of that is the first one tried. */
interface PasswordOwner {
  email: string;
  name?: string | undefined;
  igUsername?: string | undefined;
}

/**
 * Refuses a password that stands high on every list of the most used ones, or is made of its owner's name.
 * There is no rule about which characters it must have.
 * @throws ApiError `invalid_input` beside the field `password`
 */
export function refuseGuessable(password: string, owner: PasswordOwner): void {
  if (!isGuessable(password, ownWords(owner))) return;
  throw new ApiError('invalid_input', GUESSABLE_PASSWORD, {
    fields: { password: GUESSABLE_PASSWORD },
  });
}

const ROWS = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgb',
  '!@#$%^&*()',
].flatMap((row) => [row, Array.from(row).toReversed().join('')]);
const RUN_LEAST = 3;
/** Digits and signs that people put around a word, such as a year and an exclamation mark. */
const TRIMMINGS_LIMIT = 5;
const DATE = /^(?:\d{4}(?:19[3-9]|20[0-3])\d|(?:19[3-9]|20[0-3])\d\d{4})$/;
/** Signs typed in place of letters. */
const SWAPPED: Record<string, string> = {
  a: '[a4@]',
  b: '[b8]',
  e: '[e3]',
  g: '[g9]',
  i: '[i1!]',
  l: '[l1!]',
  o: '[o0]',
  s: '[s5$]',
  t: '[t7]',
  z: '[z2]',
};
const SYNTAX = /[\\^$.*+?()[\]{}|/]/;
const WORDS = pattern(COMMON_WORDS);

/**
 * Whether a password is one well-known word (letters swapped for signs or not), one of `ownWords`, or none,
 * with runs of the keyboard or the alphabet, repetitions and a few digits and signs around it.
 */
export function isGuessable(password: string, ownWords: readonly string[]): boolean {
  const typed = password.normalize('NFKC').toLowerCase();
  if (DATE.test(typed)) return true;
  const unit = repeatedUnit(typed);
  if (unit.length < typed.length && unit.length <= 4) return true;
  const own = ownWords.length > 0 ? pattern(ownWords) : undefined;
  return isCovered(unit.replaceAll(/[\s_.-]/g, ''), own);
}

function isCovered(text: string, own: RegExp | undefined): boolean {
  let words = 0;
  let trimmings = 0;
  for (let at = 0; at < text.length;) {
    const word = Math.max(matchLength(WORDS, text, at), own ? matchLength(own, text, at) : 0);
    const run = runLength(text, at);
    if (word > 0 && word >= run) {
      words += 1;
      at += word;
    } else if (run > 0) {
      at += run;
    } else if (/[^\p{L}]/u.test(text.charAt(at))) {
      trimmings += 1;
      at += 1;
    } else return false;
  }
  return words <= 1 && trimmings <= TRIMMINGS_LIMIT;
}

/** How long the run of neighbours on a keyboard row, or of one character, is that starts here. */
function runLength(text: string, at: number): number {
  let length = 1;
  while (text.charAt(at + length) === text.charAt(at)) length += 1;
  if (length >= RUN_LEAST) return length;
  length = 0;
  while (at + length < text.length) {
    const run = text.slice(at, at + length + 1);
    if (!ROWS.some((row) => row.includes(run))) break;
    length += 1;
  }
  return length >= RUN_LEAST ? length : 0;
}

/** "abcabcab" is made of "abc"; a text that repeats nothing is its own unit. */
function repeatedUnit(text: string): string {
  for (let length = 1; length <= text.length / 2; length += 1) {
    const unit = text.slice(0, length);
    if (unit.repeat(Math.ceil(text.length / length)).startsWith(text)) return unit;
  }
  return text;
}

/** Matches the longest of the words that begins at `lastIndex`. */
function pattern(words: readonly string[]): RegExp {
  const alternatives = words
    .toSorted((one, other) => other.length - one.length)
    .map((word) =>
      Array.from(word, (sign) => SWAPPED[sign] ?? sign.replace(SYNTAX, String.raw`\$&`)).join(''),
    );
  return new RegExp(alternatives.join('|'), 'yu');
}

function matchLength(words: RegExp, text: string, at: number): number {
  words.lastIndex = at;
  return words.exec(text)?.[0].length ?? 0;
}

const OWN_LEAST = 4;

function ownWords({ email, name = '', igUsername = '' }: PasswordOwner): string[] {
  const local = email.split('@')[0] ?? '';
  return [
    PRODUCT_NAME,
    email,
    local,
    ...local.split(/[._+-]/),
    name,
    ...name.split(/\s+/),
    igUsername,
  ]
    .map((word) =>
      word
        .normalize('NFKC')
        .toLowerCase()
        .replaceAll(/[\s_.-]/g, ''),
    )
    .filter((word) => word.length >= OWN_LEAST);
}
