/**
 * The newer of two readings, with what they have in common taken from the older one: where they say the same,
 * the older one itself. So whoever compares by identity sees only what has changed. Both hold texts, figures, and
 * lists and records of such; sets and maps are compared as wholes.
 */
export function keepSame<Reading>(before: unknown, next: Reading): Reading {
  if (Object.is(before, next)) return next;
  if (!isObject(before) || !isObject(next)) return next;
  if (Object.getPrototypeOf(before) !== Object.getPrototypeOf(next)) return next;
  if (isCollection(before) && isCollection(next)) {
    const items = [...before];
    return keepSame(items, [...next]) === items ? (before as Reading) : next;
  }
  if (!Array.isArray(next) && Object.getPrototypeOf(next) !== Object.prototype) return next;
  const kept = Array.isArray(next)
    ? next.map((item, nth) => keepSame(Reflect.get(before, nth), item))
    : Object.fromEntries(
        Object.entries(next).map(([key, value]) => [
          key,
          keepSame(Reflect.get(before, key), value),
        ]),
      );
  return (isEqual(before, kept) ? before : kept) as Reading;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const isCollection = (value: object): value is Set<unknown> | Map<unknown, unknown> =>
  value instanceof Set || value instanceof Map;

function isEqual(before: object, kept: object): boolean {
  const [entries, others] = [Object.entries(kept), Object.keys(before)];
  return (
    entries.length === others.length &&
    entries.every(
      ([key, value]) => Object.hasOwn(before, key) && Reflect.get(before, key) === value,
    )
  );
}
