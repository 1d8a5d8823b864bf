/** What a ring is filled with. */
export interface ApplauseCounts {
  /** Null when the owner hides likes. */
  organic: number | null;
  delivered: number;
  /** Likes to deliver in all, bonus included; 0 without an order. */
  target: number;
}

/** Lit seats of a ring. */
export interface Applause {
  organic: number;
  purchased: number;
}

/**
 * The seats of a ring: all of them stand for the organic likes and the ordered ones together, so
 * that the ring is full exactly when everything ordered has arrived. Any likes light at least one
 * seat, and a ring is never shown full before it is.
 */
export function applauseSeats(counts: ApplauseCounts, seats: number): Applause {
  const organicLikes = counts.organic ?? 0;
  const expected = Math.max(counts.target, counts.delivered);
  const all = organicLikes + expected;
  if (all === 0) return { organic: 0, purchased: 0 };
  const share = (likes: number): number =>
    likes === 0 ? 0 : Math.max(1, Math.round((likes / all) * seats));
  const isFull = counts.delivered >= expected;
  if (expected === 0) return { organic: seats, purchased: 0 };
  const purchased = Math.min(share(counts.delivered), seats - (organicLikes > 0 ? 1 : 0));
  if (isFull) return { organic: seats - purchased, purchased };
  const room = seats - purchased - 1;
  return { organic: Math.min(share(organicLikes), room), purchased };
}

/**
 * A dash pattern that lights `count` seats from the seat `first` on, for a path whose length is one
 * unit a seat.
 */
export function seatDashes(first: number, count: number, seats: number, gap = 0.26): string {
  if (count <= 0) return `0 ${seats}`;
  const lit = `${1 - gap} ${gap} `.repeat(count);
  const before = first > 0 ? `0 ${first} ` : '';
  return `${before}${lit}0 ${seats - first - count}`;
}

/** A rounded square that starts at the middle of its lower edge and runs clockwise. */
export function framePath(size: number, inset: number, corner: number): string {
  const [low, high, middle] = [inset, size - inset, size / 2];
  const arc = `A${corner} ${corner} 0 0 1`;
  return [
    `M${middle} ${high}`,
    `H${low + corner}`,
    `${arc} ${low} ${high - corner}`,
    `V${low + corner}`,
    `${arc} ${low + corner} ${low}`,
    `H${high - corner}`,
    `${arc} ${high} ${low + corner}`,
    `V${high - corner}`,
    `${arc} ${high - corner} ${high}`,
    'Z',
  ].join('');
}
