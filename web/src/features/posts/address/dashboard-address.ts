import {
  NO_FILTER,
  ORDER_FILTERS,
  type OrderFilter,
  POST_SORTS,
  type PostFilter,
} from '../reading/post-filter.ts';

/** What the dashboard's address says beside its path: reloads, links and going back keep it. */
export interface DashboardAddress {
  /** The post whose receipt is open. */
  postId: string | undefined;
  /** Posts of all accounts, not of the active one. */
  isAllAccounts: boolean;
  isChartOpen: boolean;
  filter: PostFilter;
}

/** A search longer than this finds nothing. */
const TEXT_LIMIT = 200;
const DAY = /^\d{4}-\d\d-\d\d$/;
/** Of a day the calendar has: the 30th of February would be read as one in March. */
const isDay = (text: string): boolean => {
  const atMs = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(atMs) && new Date(atMs).toISOString().startsWith(text);
};

/** Reads an address; what makes no sense in it is as if it weren't there. */
export function readAddress(search: string): DashboardAddress {
  const parameters = new URLSearchParams(search);
  const read = (name: string): string => parameters.get(name) ?? '';
  const day = (name: string): string => (isDay(read(name)) ? read(name) : '');
  return {
    postId: read('post') || undefined,
    isAllAccounts: read('accounts') === 'all',
    isChartOpen: read('chart') === 'open',
    filter: {
      text: read('q').slice(0, TEXT_LIMIT),
      order: ORDER_FILTERS.find((order) => slugOf(order) === read('filter')) ?? NO_FILTER.order,
      fromDay: day('from'),
      toDay: day('to'),
      sort: POST_SORTS.find((sort) => sort === read('sort')) ?? NO_FILTER.sort,
    },
  };
}

/** The address's search, `?sort=likes`; empty when everything is as usual. */
export function searchOf({ postId, isAllAccounts, isChartOpen, filter }: DashboardAddress): string {
  const { text, order, fromDay, toDay, sort } = filter;
  const said: Array<[name: string, value: string]> = [
    ['accounts', isAllAccounts ? 'all' : ''],
    ['sort', sort === NO_FILTER.sort ? '' : sort],
    ['filter', order === NO_FILTER.order ? '' : slugOf(order)],
    ['from', fromDay],
    ['to', toDay],
    ['q', text.trim() === '' ? '' : text],
    ['chart', isChartOpen ? 'open' : ''],
    ['post', postId ?? ''],
  ];
  const parameters = new URLSearchParams(said.filter(([, value]) => value !== ''));
  return parameters.size === 0 ? '' : `?${parameters}`;
}

/** A filter alone, as an address says it; empty when it lets all posts through, newest first. */
export const searchOfFilter = (filter: PostFilter): string =>
  searchOf({ postId: undefined, isAllAccounts: false, isChartOpen: false, filter });

export const filterOf = (search: string): PostFilter => readAddress(search).filter;

/** "In progress" is `in-progress`. */
const slugOf = (order: OrderFilter): string => order.toLowerCase().replaceAll(/[ _]/g, '-');
