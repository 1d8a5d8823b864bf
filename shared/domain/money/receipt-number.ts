/** Enough of an id to name its receipt: the end of an id is random, its beginning is the time. */
export function receiptNumber(id: string): string {
  const short = id.replaceAll('-', '').slice(-10).toUpperCase();
  return `${short.slice(0, 5)}-${short.slice(5)}`;
}
