import { expect, test } from 'vitest';
import type { NetworkAccount, NetworkPost } from '../../adapters/graph/social-network.ts';
import { compareDigests, contentDigest, keptDigest } from './look-digest.ts';

const account: NetworkAccount = {
  igId: '17841400000000101',
  username: 'ada',
  biography: '',
  name: 'Ada',
  profilePictureUrl: 'https://cdn.example/p.jpg?oe=1',
  followers: 10,
  mediaCount: 1,
};
const post: NetworkPost = {
  id: '17841400000000102',
  shortcode: 'C1',
  mediaType: 'IMAGE',
  caption: 'Hi',
  permalink: 'https://network.example/p/C1/',
  imageUrl: 'https://cdn.example/1.jpg?oh=ab&oe=1',
  takenAtMs: 0,
  likeCount: 0,
  commentCount: 0,
};
const digest = contentDigest(account, [post]);

test('signed parameters and followers do not make a look differ', () => {
  const rotated = { ...post, imageUrl: 'https://cdn.example/1.jpg?oh=cd&oe=2' };
  const grown = { ...account, followers: 11, profilePictureUrl: 'https://cdn.example/p.jpg?oe=2' };
  expect(contentDigest(grown, [rotated])).toBe(digest);
});

test.each<[string, Partial<NetworkPost>]>([
  ['likes', { likeCount: 1 }],
  ['hidden likes', { likeCount: null }],
  ['comments', { commentCount: 1 }],
  ['the caption', { caption: 'Ho' }],
  ['the picture', { imageUrl: 'https://cdn.example/2.jpg?oh=ab&oe=1' }],
  ['no picture', { imageUrl: undefined }],
  ['the post', { id: '17841400000000103' }],
])('%s make a look differ', (_what, change) => {
  expect(contentDigest(account, [{ ...post, ...change }])).not.toBe(digest);
});

test('another network account, and a post more or less, make a look differ', () => {
  expect(contentDigest({ ...account, igId: '1' }, [post])).not.toBe(digest);
  expect(contentDigest(account, [])).not.toBe(digest);
});

test('the same content within five minutes is no change, later it is a touch', () => {
  const accountId = '0199a2c4-7a00-7000-8000-000000000000';
  const seen = (nowMs: number, content = digest) => keptDigest(content, accountId, nowMs);
  expect(compareDigests(seen(0), seen(299_999))).toBe('none');
  expect(compareDigests(seen(0), seen(300_000))).toBe('touch');
  expect(compareDigests(seen(0), seen(0, 'other'))).toBe('content');
  expect(compareDigests(null, seen(0))).toBe('content');
});
