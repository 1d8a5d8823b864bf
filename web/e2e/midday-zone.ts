/** A time zone in which it is about noon, so that no journey crosses a midnight and its daily limit. */
export function middayZone(now = new Date()): string {
  const hoursToNoon = 12 - now.getUTCHours();
  if (hoursToNoon === 0) return 'Etc/UTC';
  // The sign of these names is reversed: Etc/GMT-3 is three hours ahead of UTC.
  return hoursToNoon > 0 ? `Etc/GMT-${hoursToNoon}` : `Etc/GMT+${-hoursToNoon}`;
}
