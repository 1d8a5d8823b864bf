export const CODE_LENGTH = 6;

/** What the boxes hold: one digit or nothing each. */
export type CodeBoxes = readonly string[];

export const EMPTY_BOXES: CodeBoxes = Array.from({ length: CODE_LENGTH }, () => '');

/** The boxes after an input, and the box that has the focus then. */
export interface CodeStep {
  boxes: CodeBoxes;
  focus: number;
}

/**
 * One box was typed into, pasted into or filled in by the phone: the digits spread from that box on, a
 * whole code from the first. Everything but digits is refused.
 */
export function enterDigits(boxes: CodeBoxes, index: number, entered: string): CodeStep {
  const digits = entered.replaceAll(/\D/g, '');
  if (digits === '') return { boxes, focus: index };
  const first = digits.length >= CODE_LENGTH ? 0 : index;
  const spread = Array.from(digits).slice(0, CODE_LENGTH - first);
  return {
    boxes: boxes.map((digit, place) => spread[place - first] ?? digit),
    focus: Math.min(first + spread.length, CODE_LENGTH - 1),
  };
}

/** A box whose old digit is still beside what was typed keeps only what was typed. */
export function typedInto(before: string, value: string): string {
  if (before === '' || value.length < 2) return value;
  return value.startsWith(before) ? value.slice(before.length) : value.replace(before, '');
}

/** Empties one box. */
export function clearBox(boxes: CodeBoxes, index: number): CodeBoxes {
  return boxes.map((digit, place) => (place === index ? '' : digit));
}
