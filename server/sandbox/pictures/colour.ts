/** Red, green, blue, each about 0 to 1 (more is light that blooms). */
export type Colour = readonly [number, number, number];

/** Colour from `#rrggbb`. */
export function hex(text: string): Colour {
  const value = Number.parseInt(text.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

export const mix = (a: number, b: number, t: number): number => a + (b - a) * t;

export function blend(a: Colour, b: Colour, t: number): Colour {
  return [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)];
}

export const clamp = (x: number, low = 0, high = 1): number =>
  x < low ? low : x > high ? high : x;

/** 0 below `from`, 1 above `to`, smooth between; works downwards too. */
export function ramp(from: number, to: number, x: number): number {
  const t = clamp((x - from) / (to - from));
  return t * t * (3 - 2 * t);
}

/** A gradient through evenly spaced colours. */
export function gradient(stops: readonly Colour[], t: number): Colour {
  const place = clamp(t) * (stops.length - 1);
  const index = Math.min(stops.length - 2, Math.floor(place));
  const from = stops[index];
  const to = stops[index + 1];
  if (!from || !to) return from ?? [0, 0, 0];
  return blend(from, to, place - index);
}

/** One of the list, by a number in [0, 1). @throws RangeError on an empty list */
export function pick<const T>(list: readonly T[], chance: number): T {
  const item = list[Math.min(list.length - 1, Math.floor(chance * list.length))];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}
