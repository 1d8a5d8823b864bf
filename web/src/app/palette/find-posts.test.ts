import { expect, test } from 'vitest';
import type { Post } from '#shared/contract/accounts/post.ts';
import { postExample } from '#web/testing/examples.ts';
import { findPosts, POSTS_AT_FIRST, POSTS_FOUND } from './find-posts.ts';

const NAMES = new Map([['1', 'ada']]);
const posted = (instant: string): string => `on ${instant.slice(0, 10)}`;
const find = (posts: readonly Post[], typed: string) => findPosts(posts, typed, NAMES, posted);
const post = (id: string, caption: string): Post =>
  postExample({ id, igId: '1', caption, takenAt: '2026-11-21T10:00:00.000Z' });

test('a post is found by words of its caption, its date and its account', () => {
  const posts = [post('a', 'Rain in Paris'), post('b', 'Sun')];
  const ids = (typed: string): string[] => find(posts, typed).map(({ id }) => id);
  expect(ids('paris RAIN')).toEqual(['a']);
  expect(ids('2026-11-21 sun')).toEqual(['b']);
  expect(ids('@ada')).toEqual(['a', 'b']);
  expect(ids('snow')).toEqual([]);
});

test('before anything is typed the newest few stand there, and never all of thousands', () => {
  const posts = Array.from({ length: 5000 }, (_, index) => post(`p${index}`, 'Sun'));
  expect(find(posts, ' ').map(({ id }) => id)).toEqual(['p0', 'p1', 'p2']);
  expect(POSTS_AT_FIRST).toBe(3);
  expect(find(posts, 'sun')).toHaveLength(POSTS_FOUND);
});

test('one line says which it is: the caption’s beginning, or the date', () => {
  const [long, none] = find([post('a', 'x'.repeat(2200)), post('b', ' \n ')], 'on');
  expect(long?.label).toBe(`${'x'.repeat(80)}…`);
  expect(none?.label).toBe('Post from on 2026-11-21');
});

test('posts of an account that is gone are not offered', () => {
  expect(find([postExample({ igId: '2' })], '')).toEqual([]);
});
