/** Where a key moves the focus among the rows; undefined when it doesn't. */
export function rowForKey(key: string, current: number, count: number): number | undefined {
  const last = count - 1;
  const PAGE = 10;
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, current + 1);
    case 'ArrowUp':
      return Math.max(0, current - 1);
    case 'PageDown':
      return Math.min(last, current + PAGE);
    case 'PageUp':
      return Math.max(0, current - PAGE);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return undefined;
  }
}
