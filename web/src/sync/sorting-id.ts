/**
 * A UUID of version 7, which sorts by the time it was made: the time over the first 48 bits of a
 * random UUID. What is made in one millisecond is in no order.
 */
export function sortingId(nowMs: number, randomUuid: string): string {
  const time = Math.max(0, Math.floor(nowMs)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7${randomUuid.slice(15)}`;
}
