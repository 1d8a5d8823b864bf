import { expect, test } from 'vitest';
import type { Post } from '#shared/contract/accounts/post.ts';
import type { PostWindow } from '#web/replica/queries/posts.ts';
import { accountExample, postExample, unpaidAccount } from '#web/testing/examples.ts';
import { createPostPages, isFirstReading } from './post-pages.ts';

const instant = (nth: number): string =>
  new Date(Date.UTC(2026, 0, 1) + nth * 60_000).toISOString();
const postsUpTo = (count: number): Post[] =>
  Array.from({ length: count }, (_, nth) =>
    postExample({ id: `post-${nth}`, takenAt: instant(nth) }),
  ).reverse();

/** A table of posts whose watchers are told of every change, as live queries are. */
function postTable(initial: Post[] | undefined) {
  let rows = initial;
  const watchers = new Set<() => void>();
  const read = ({ before, from, limit }: PostWindow): Post[] | undefined =>
    rows
      ?.filter(({ takenAt }) => takenAt < (before ?? '9') && takenAt >= (from ?? ''))
      .slice(0, limit);
  const reads: PostWindow[] = [];
  return {
    reads,
    watching: () => watchers.size,
    watch: (window: PostWindow, onPosts: (posts: Post[] | undefined) => void) => {
      const tell = (): void => {
        reads.push(window);
        if (watchers.has(tell)) onPosts(read(window));
      };
      watchers.add(tell);
      queueMicrotask(tell);
      return () => void watchers.delete(tell);
    },
    set: (next: Post[]) => {
      rows = next;
      for (const tell of watchers) tell();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function pagesOf(table: ReturnType<typeof postTable>, size: number) {
  const pages = createPostPages(table.watch, size);
  pages.subscribe(() => undefined);
  await settled();
  return pages;
}

test('only the newest posts are read until more are wanted', async () => {
  const pages = await pagesOf(postTable(postsUpTo(25)), 10);
  expect(pages.snapshot().posts).toHaveLength(10);
  expect(pages.snapshot().isComplete).toBe(false);
  pages.want(15);
  await settled();
  expect(pages.snapshot().posts).toHaveLength(20);
  pages.want(Infinity);
  await settled();
  expect(pages.snapshot()).toEqual({ posts: postsUpTo(25), isComplete: true });
});

test('an account whose posts were never answered has none, not an empty list', async () => {
  const table = postTable(undefined);
  const pages = await pagesOf(table, 10);
  expect(pages.snapshot().posts).toBeUndefined();
  table.set([]);
  expect(pages.snapshot()).toEqual({ posts: [], isComplete: true });
});

test('posts of the same second at the end of a page are neither lost nor shown twice', async () => {
  const posts = postsUpTo(20).map((post, index) => ({
    ...post,
    takenAt: instant(20 - Math.floor(index / 3)),
  }));
  const pages = await pagesOf(postTable(posts), 4);
  pages.want(Infinity);
  await settled();
  expect(pages.snapshot().posts?.map(({ id }) => id)).toEqual(posts.map(({ id }) => id));
});

test('a history that arrives later is cut into pages', async () => {
  const table = postTable(postsUpTo(30).slice(0, 5));
  const pages = await pagesOf(table, 10);
  expect(pages.snapshot().isComplete).toBe(true);
  table.set(postsUpTo(30));
  await settled();
  expect(pages.snapshot().posts).toHaveLength(10);
  expect(pages.snapshot().isComplete).toBe(false);
});

test('a new post stands first and pages end where they ended', async () => {
  const table = postTable(postsUpTo(25));
  const pages = await pagesOf(table, 10);
  pages.want(Infinity);
  await settled();
  table.set(postsUpTo(26));
  await settled();
  expect(pages.snapshot().posts).toEqual(postsUpTo(26));
});

test('stopping watches nothing more', async () => {
  const table = postTable(postsUpTo(25));
  const pages = await pagesOf(table, 10);
  pages.stop();
  expect(table.watching()).toBe(0);
});

test('in a plan’s first minutes 100 posts are the newest ones, not all: older ones are being read', () => {
  const account = accountExample({ accountPackageSubsriptionDate: '2026-11-21T09:00:00.000Z' });
  const soon = Date.parse('2026-11-21T09:01:00.000Z');
  expect(isFirstReading(100, [account], soon)).toBe(true);
  expect(isFirstReading(100, [account], soon + 3_600_000)).toBe(false);
  expect(isFirstReading(60, [account], soon)).toBe(false);
  expect(isFirstReading(100, [unpaidAccount()], soon)).toBe(false);
});
