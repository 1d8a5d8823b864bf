import type { Filter, SortBy } from './filter.ts';
import type { FieldKind } from './table-data.ts';

/** How somebody looks at a table: all of it stands in the address. */
export interface GridView {
  search: string;
  filters: readonly Filter[];
  /** The first one counts most. */
  sorts: readonly SortBy[];
  /** Keys of the columns that are shown, in their order. */
  columns: readonly string[];
}

/** What a view may speak of: a column with what its values are, and whether it is shown unless somebody chose. */
export interface ViewField {
  key: string;
  kind: FieldKind;
  isUsual: boolean;
}

/** The view that nobody has changed. */
export function usualView(fields: readonly ViewField[], sorts: readonly SortBy[]): GridView {
  const columns = fields.filter(({ isUsual }) => isUsual).map(({ key }) => key);
  return { search: '', filters: [], sorts, columns };
}

const FILTER = 'where.';

/** What of the view isn't as usual, as an address says it: empty, or `?q=…&sort=-next`. */
export function addressOfView(view: GridView, usual: GridView): string {
  const parameters = new URLSearchParams();
  if (view.search !== '') parameters.set('q', view.search);
  for (const filter of view.filters) parameters.append(FILTER + filter.key, textOfFilter(filter));
  const sorts = textOfSorts(view.sorts);
  if (sorts !== textOfSorts(usual.sorts)) parameters.set('sort', sorts);
  const columns = view.columns.join(',');
  if (columns !== usual.columns.join(',')) parameters.set('columns', columns);
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** The view an address speaks of; what it says that can't be is left out. */
export function viewOfAddress(
  address: string,
  fields: readonly ViewField[],
  usual: GridView,
): GridView {
  const parameters = new URLSearchParams(address);
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const filters = [...parameters].flatMap(([name, text]) => {
    const field = name.startsWith(FILTER) ? byKey.get(name.slice(FILTER.length)) : undefined;
    const filter = field && filterOfText(field, text);
    return filter ? [filter] : [];
  });
  const asked = new Set((parameters.get('columns') ?? '').split(','));
  const columns = [...asked].filter((key) => byKey.has(key));
  return {
    search: parameters.get('q') ?? '',
    filters: [...new Map(filters.map((filter) => [filter.key, filter])).values()],
    sorts: parameters.has('sort') ? sortsOf(parameters.get('sort') ?? '', byKey) : usual.sorts,
    columns: columns.length > 0 ? columns : usual.columns,
  };
}

/** The filters of an address that can't be read, as it says them: "plan=none". */
export function unreadFilters(address: string, fields: readonly ViewField[]): string[] {
  return [...new URLSearchParams(address)].flatMap(([name, text]) => {
    if (!name.startsWith(FILTER)) return [];
    const key = name.slice(FILTER.length);
    const field = fields.find((each) => each.key === key);
    return field && filterOfText(field, text) ? [] : [`${key}=${text}`];
  });
}

const textOfSorts = (sorts: readonly SortBy[]): string =>
  sorts.map(({ key, isDescending }) => (isDescending ? `-${key}` : key)).join(',');

function sortsOf(text: string, byKey: ReadonlyMap<string, ViewField>): SortBy[] {
  const sorts = text.split(',').map((each): [string, SortBy] => {
    const isDescending = each.startsWith('-');
    const key = isDescending ? each.slice(1) : each;
    return [key, { key, isDescending }];
  });
  return [...new Map(sorts).values()].filter(({ key }) => byKey.has(key));
}

function textOfFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'text':
      return filter.has;
    case 'number':
    case 'date':
      return `${filter.from ?? ''}..${filter.to ?? ''}`;
    case 'oneOf':
      return filter.of.map((each) => each.replaceAll(/[\\,]/g, String.raw`\$&`)).join(',');
    default:
      return filter satisfies never;
  }
}

function filterOfText({ key, kind }: ViewField, text: string): Filter | undefined {
  const [from = '', to = ''] = text.split('..');
  switch (kind) {
    case 'text':
      return text === '' ? undefined : { key, kind, has: text };
    case 'number': {
      const ends = { ...numberEnd('from', from), ...numberEnd('to', to) };
      return isRange(ends) ? { key, kind, ...ends } : undefined;
    }
    case 'date': {
      const ends = { ...dateEnd('from', from), ...dateEnd('to', to) };
      return isRange(ends) ? { key, kind, ...ends } : undefined;
    }
    case 'choice':
    case 'tags':
      return { key, kind: 'oneOf', of: partsOf(text) };
    default:
      return kind satisfies never;
  }
}

/** One end at least, and the lower one first. */
function isRange<End extends string | number>({ from, to }: { from?: End; to?: End }): boolean {
  if (from === undefined || to === undefined) return from !== to;
  return from <= to;
}

function numberEnd(name: 'from' | 'to', text: string): { from?: number; to?: number } {
  const value = Number(text);
  return text !== '' && Number.isFinite(value) ? { [name]: value } : {};
}

function dateEnd(name: 'from' | 'to', text: string): { from?: string; to?: string } {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
  return isDay ? { [name]: text } : {};
}

/** What stands between commas; one after a backslash is a part of it. */
function partsOf(text: string): string[] {
  const parts = [...text.matchAll(/((?:\\[\s\S]|[^\\,])*)(,|$)/g)];
  // The last match is empty, behind the end.
  return parts
    .slice(0, text === '' ? 1 : parts.findIndex(([, , end]) => end === '') + 1)
    .map(([, part = '']) => part.replaceAll(/\\([\s\S])/g, '$1'));
}
