/** What a ring stands for: one order. */
export interface ApplauseOrder {
  delivered: number;
  /** Likes to deliver, bonus included; at least 1. */
  target: number;
}

/** Seats of the ring around a picture. */
export const SEATS = 56;
const GAP = 0.26;
/** The dashes of a ring whose seats are all alike. */
export const EVERY_SEAT = `${1 - GAP} ${GAP}`;

/**
 * The lit seats of a ring: all of them stand for what was ordered, so that it is full exactly when
 * everything has arrived. Any like lights a seat.
 */
export function litSeats({ delivered, target }: ApplauseOrder, seats: number): number {
  if (delivered >= target) return seats;
  if (delivered === 0) return 0;
  return Math.min(seats - 1, Math.max(1, Math.round((delivered / target) * seats)));
}

/**
 * A dash pattern that lights `count` seats from the seat `first` on, for a path whose length is one
 * unit a seat.
 */
export function seatDashes(first: number, count: number, seats: number, gap = GAP): string {
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

/** The ring's path, 100 by 100. */
export const FRAME = framePath(100, 1.4, 5);
