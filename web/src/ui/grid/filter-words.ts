import { shortDate } from '../words/dates.ts';
import { figure } from '../words/figures.ts';
import type { Filter } from './filter.ts';

/** What a filter lets through, as its chip says it: "Plan: 100 to 250", "Tags: VIP or none". */
export function filterInWords(filter: Filter, label: string): string {
  return `${label}: ${wordsOf(filter)}`;
}

function wordsOf(filter: Filter): string {
  switch (filter.kind) {
    case 'text':
      return `contains “${filter.has}”`;
    case 'number':
      return rangeInWords(filter, figure, ['at least', 'at most']);
    case 'date':
      return rangeInWords(filter, (day) => shortDate(Date.parse(day), 'UTC'), ['from', 'until']);
    case 'oneOf':
      return filter.of.map((each) => (each === '' ? 'none' : each)).join(' or ');
    default:
      return filter satisfies never;
  }
}

function rangeInWords<End>(
  { from, to }: { from?: End; to?: End },
  say: (end: End) => string,
  [least, most]: readonly [string, string],
): string {
  if (from !== undefined && to !== undefined) {
    return from === to ? say(from) : `${say(from)} to ${say(to)}`;
  }
  if (from !== undefined) return `${least} ${say(from)}`;
  return to === undefined ? '' : `${most} ${say(to)}`;
}

/** With this filter in place of the one of its column, where there is one. */
export function withFilter(filters: readonly Filter[], filter: Filter): Filter[] {
  const nth = filters.findIndex(({ key }) => key === filter.key);
  return nth === -1 ? [...filters, filter] : filters.with(nth, filter);
}

export const withoutFilter = (filters: readonly Filter[], key: string): Filter[] =>
  filters.filter((filter) => filter.key !== key);
