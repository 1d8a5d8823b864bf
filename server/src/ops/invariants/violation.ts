/** What must hold at all times; the checker of each says what it is. */
export const INVARIANTS = [
  'I1',
  'I2',
  'I3',
  'I4',
  'I5',
  'I6',
  'I7',
  'I8',
  'I9',
  'I10',
  'I11',
  'I12',
  'I13',
] as const;

/** One thing that must never be and is. A checker that finds none answers an empty list. */
export interface Violation {
  invariant: (typeof INVARIANTS)[number];
  /** Which row: an order, a post. */
  subject: string;
  /** What is wrong with it, with the values found. */
  problem: string;
}
