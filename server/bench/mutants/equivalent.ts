import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './find-mutants.ts';

/** A mutant that no test can tell from the code, and why. */
export interface Equivalent {
  file: string;
  operator: string;
  code: string;
  becomes: string;
  /** Which of the same in this file, from 1. */
  nth: number;
  reason: string;
}

export const keyOf = ({ file, operator, code, becomes, nth }: Equivalent): string =>
  `${file} | ${operator} | ${code} | ${becomes} | ${nth}`;

export function readEquivalents(): Equivalent[] {
  return JSON.parse(
    readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8'),
  ) as Equivalent[];
}

export const isEquivalent = ({ key }: Mutant, named: readonly Equivalent[]): boolean =>
  named.some((each) => keyOf(each) === key);
