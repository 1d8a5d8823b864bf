import { expect, test } from 'vitest';
import { postExample } from '#web/testing/examples.ts';
import { filterPosts, isNarrowing, NO_FILTER, type PostFilter } from './post-filter.ts';

const order = { id: 'x', target: 50, bonus: 0, delivered: 20 };
const posts = [
  postExample({
    id: 'new',
    takenAt: '2026-11-21T23:30:00.000Z',
    caption: 'Harbour at Night',
    order: { ...order, state: 'In progress' },
    edge_media_preview_like: { count: null },
    organicLikes: null,
    deliveredLikes: 5,
  }),
  postExample({
    id: 'middle',
    takenAt: '2026-11-10T09:00:00.000Z',
    caption: 'Bread',
    order: { ...order, state: 'Completed' },
    edge_media_preview_like: { count: 300 },
    organicLikes: 250,
    deliveredLikes: 50,
  }),
  postExample({
    id: 'old',
    takenAt: '2026-10-01T09:00:00.000Z',
    caption: 'harbour, morning',
    order: null,
    edge_media_preview_like: { count: 40 },
    organicLikes: 40,
    deliveredLikes: 0,
    edge_media_to_comment: { count: 9 },
  }),
];
const berlin = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', timeZone: 'Europe/Berlin' });
const ids = (filter: Partial<PostFilter>) =>
  filterPosts(posts, { ...NO_FILTER, ...filter }, (instant) =>
    berlin.format(Date.parse(instant)),
  ).map(({ id }) => id);

test('without a filter every post is there, newest first', () => {
  expect(ids({})).toEqual(['new', 'middle', 'old']);
});

test.each([
  ['all words of a search stand in the caption, in any case', { text: ' HARBOUR night ' }, ['new']],
  ['posts with an order', { order: 'ordered' }, ['new', 'middle']],
  ['posts without an order', { order: 'not_ordered' }, ['old']],
  ['posts whose newest order is in one state', { order: 'Completed' }, ['middle']],
  ['days are those of the person’s zone', { fromDay: '2026-11-22' }, ['new']],
  [
    'both ends of a date range count',
    { fromDay: '2026-10-01', toDay: '2026-11-10' },
    ['middle', 'old'],
  ],
  ['oldest first', { sort: 'oldest' }, ['old', 'middle', 'new']],
  ['most likes first, hidden ones last', { sort: 'likes' }, ['middle', 'old', 'new']],
  ['most delivered first', { sort: 'delivered' }, ['middle', 'new', 'old']],
  ['most comments first, equal ones newest first', { sort: 'comments' }, ['old', 'new', 'middle']],
] as const)('%s', (_, filter, expected) => {
  expect(ids(filter)).toEqual(expected);
});

test('an order of its own leaves nothing out', () => {
  expect(isNarrowing({ ...NO_FILTER, sort: 'likes' })).toBe(false);
  expect(isNarrowing({ ...NO_FILTER, text: '  ' })).toBe(false);
  expect(isNarrowing({ ...NO_FILTER, toDay: '2026-01-01' })).toBe(true);
});
