/*
 * Digits that stand together in a text, whichever way they are written: of any script, beside each other or with
 * spaces, tabs, commas, dots, slashes and dashes between. What can't be seen (zero-width and combining characters)
 * is between none. Lines, and digits with words or other signs between, don't stand together.
 */
const INVISIBLE = String.raw`\p{Cf}\p{M}`;
const GROUP = new RegExp(String.raw`\p{Nd}[\p{Nd}${INVISIBLE}]*`, 'gu');
const NO_DIGIT = new RegExp(`[${INVISIBLE}]`, 'gu');
const BETWEEN = new RegExp(String.raw`^(?:[\p{Zs}\t.,/\\_+\u00B7\u2212\p{Pd}]|\p{Cf})+$`, 'u');

export interface DigitRun {
  /** Where it stands in the text. */
  from: number;
  to: number;
  /** Its groups, in digits from 0 to 9. */
  groups: readonly string[];
  /** What stands after each but the last, white space as one space and dashes as one hyphen. */
  gaps: readonly string[];
}

/** All runs of a text; linear in its length, whatever stands in it. */
export function digitRuns(text: string): DigitRun[] {
  const runs: Array<DigitRun & { groups: string[]; gaps: string[] }> = [];
  for (const { 0: written, index } of text.matchAll(GROUP)) {
    const group = plainDigits(written);
    const to = index + written.length;
    const before = runs.at(-1);
    const between = before && text.slice(before.to, index);
    if (!before || between === undefined || !BETWEEN.test(between)) {
      runs.push({ from: index, to, groups: [group], gaps: [] });
      continue;
    }
    before.gaps.push(gapOf(between));
    before.groups.push(group);
    before.to = to;
  }
  return runs;
}

const gapOf = (between: string): string =>
  between
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/[\u2212\p{Pd}]+/gu, '-')
    .replaceAll(/[\p{Zs}\t]+/gu, ' ');

function plainDigits(written: string): string {
  if (/^[0-9]*$/.test(written)) return written;
  return written.replaceAll(NO_DIGIT, '').replaceAll(/[^0-9]/gu, (digit) => String(valueOf(digit)));
}

/** The digits of a script follow each other from its zero, and what lies side by side are whole tens. */
function valueOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let first = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}

const ESCAPED = /(?:%[0-9a-f]{2})+|\\u[0-9a-f]{4}/gi;

/** As it reads once what is escaped in it, as in addresses and JSON, is undone. */
export function unescaped(text: string): string {
  return text.replaceAll(ESCAPED, (escaped) => {
    if (escaped.startsWith('\\')) return String.fromCharCode(Number.parseInt(escaped.slice(2), 16));
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}
