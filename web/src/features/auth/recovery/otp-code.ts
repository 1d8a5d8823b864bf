import {
  CODE_LENGTH,
  LONG_CODE_ALPHABET,
  normalizeCode,
} from '#shared/domain/people/recovery-code.ts';

/** What the boxes hold: one character or nothing each. A longer code has more of them, and letters. */
export type CodeBoxes = readonly string[];

export const emptyBoxes = (length: number): CodeBoxes => Array.from({ length }, () => '');

/** The boxes after an input, and the box that has the focus then. */
interface CodeStep {
  boxes: CodeBoxes;
  focus: number;
}

/**
 * One box was typed into, pasted into or filled in by the phone: what it is spreads from that box on,
 * a whole code from the first. What no code of this length has is refused.
 */
export function enterCode(boxes: CodeBoxes, index: number, entered: string): CodeStep {
  const { length } = boxes;
  const code = length === CODE_LENGTH ? entered.replaceAll(/\D/g, '') : longCodeOf(entered);
  if (code === '') return { boxes, focus: index };
  const first = code.length >= length ? 0 : index;
  const spread = Array.from(code).slice(0, length - first);
  return {
    boxes: boxes.map((held, place) => spread[place - first] ?? held),
    focus: Math.min(first + spread.length, length - 1),
  };
}

const longCodeOf = (entered: string): string =>
  Array.from(normalizeCode(entered))
    .filter((character) => LONG_CODE_ALPHABET.includes(character))
    .join('');

/** A box whose old digit is still beside what was typed keeps only what was typed. */
export function typedInto(before: string, value: string): string {
  if (before === '' || value.length !== 2) return value;
  return value.startsWith(before) ? value.slice(before.length) : value.replace(before, '');
}

/** Empties one box. */
export function clearBox(boxes: CodeBoxes, index: number): CodeBoxes {
  return boxes.map((digit, place) => (place === index ? '' : digit));
}
