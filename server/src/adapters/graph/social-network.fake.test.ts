import { expect, test } from 'vitest';
import { socialNetworkConformance } from './social-network.conformance.ts';
import { createFakeSocialNetwork } from './social-network.fake.ts';

const NOW_MS = Date.parse('2026-11-21T09:00:00Z');

socialNetworkConformance('The fake network', () => {
  const network = createFakeSocialNetwork({ now: () => NOW_MS });
  const done = Promise.resolve();
  return Promise.resolve({
    network,
    addAccount: (username: string, posts: number) => {
      const { igId } = network.addAccount(username);
      for (let index = posts; index > 0; index -= 1) {
        network.addPost(username, { takenAtMs: NOW_MS - index * 3_600_000 });
      }
      return Promise.resolve({ igId });
    },
    addUnreadableAccount: (username: string) => {
      network.addAccount(username);
      network.hideAccount(username);
      return done;
    },
    addPost: (
      username: string,
      {
        caption,
        isVideo = false,
        isHidingLikes = false,
      }: {
        caption: string;
        isVideo?: boolean;
        isHidingLikes?: boolean;
      },
    ) =>
      Promise.resolve(
        network.addPost(username, {
          caption,
          mediaType: isVideo ? 'VIDEO' : 'IMAGE',
          ...(isHidingLikes && { likeCount: null }),
        }),
      ),
    deletePost: (id: string) => Promise.resolve(network.deletePost(id)),
    rename: (from: string, to: string) => Promise.resolve(network.rename(from, to)),
    throttleOnce: (minutes: number) => {
      const regainAfterMs = minutes * 60_000;
      network.queueRead({
        kind: 'throttled',
        retryAfterMs: regainAfterMs,
        usage: { percent: 100, regainAfterMs },
      });
      return done;
    },
    failOnce: () => {
      network.queueRead({ kind: 'unreachable', reason: 'http_500', usage: undefined });
      return done;
    },
    close: () => done,
  });
});

test('the fake keeps what it was asked, in order', async () => {
  const network = createFakeSocialNetwork({ now: () => NOW_MS, bucketIds: ['1', '2'] });
  network.addAccount('one');
  await network.readAccount({ bucketId: '2', username: 'one', limit: 12 });
  await network.readAccount({ bucketId: '1', username: 'two', limit: 12 });
  expect(network.calls.map((call) => [call.bucketId, call.username])).toEqual([
    ['2', 'one'],
    ['1', 'two'],
  ]);
});
