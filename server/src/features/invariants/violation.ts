/** One thing that must never be and is. A checker that finds none answers an empty list. */
export interface Violation {
  invariant: 'I3' | 'I4';
  /** Which row: an order, a post. */
  subject: string;
  /** What is wrong with it, with the values found. */
  problem: string;
}
