import { expect, test } from 'vitest';
import type { NetworkPost } from '#server/adapters/graph/social-network.ts';
import { compareFingerprints, contentFingerprint, keptFingerprint } from './fingerprint.ts';

const account = {
  igId: '17841400000000101',
  profilePictureUrl: 'https://cdn.example/p.jpg?oe=1',
  followers: 10,
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
const fingerprint = contentFingerprint(account, [post]);

test('signed parameters and followers do not make a poll differ', () => {
  const rotated = { ...post, imageUrl: 'https://cdn.example/1.jpg?oh=cd&oe=2' };
  const grown = { ...account, followers: 11, profilePictureUrl: 'https://cdn.example/p.jpg?oe=2' };
  expect(contentFingerprint(grown, [rotated])).toBe(fingerprint);
});

test.each<[string, Partial<NetworkPost>]>([
  ['likes', { likeCount: 1 }],
  ['hidden likes', { likeCount: null }],
  ['comments', { commentCount: 1 }],
  ['the caption', { caption: 'Ho' }],
  ['the picture', { imageUrl: 'https://cdn.example/2.jpg?oh=ab&oe=1' }],
  ['no picture', { imageUrl: undefined }],
  ['the post', { id: '17841400000000103' }],
])('%s make a poll differ', (_what, change) => {
  expect(contentFingerprint(account, [{ ...post, ...change }])).not.toBe(fingerprint);
});

test('another network account, and a post more or less, make a poll differ', () => {
  expect(contentFingerprint({ ...account, igId: '1' }, [post])).not.toBe(fingerprint);
  expect(contentFingerprint(account, [])).not.toBe(fingerprint);
});

test('the same content within five minutes is no change, later it is a touch', () => {
  const accountId = '0199a2c4-7a00-7000-8000-000000000000';
  const seen = (nowMs: number, content = fingerprint) => keptFingerprint(content, accountId, nowMs);
  expect(compareFingerprints(seen(0), seen(299_999))).toBe('none');
  expect(compareFingerprints(seen(0), seen(300_000))).toBe('touch');
  expect(compareFingerprints(seen(0), seen(0, 'other'))).toBe('content');
  expect(compareFingerprints(null, seen(0))).toBe('content');
});
