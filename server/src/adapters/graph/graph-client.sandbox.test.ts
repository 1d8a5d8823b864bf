import { expect, test } from 'vitest';
import { openSandboxWorld } from '#test/delivery/sandbox-world.ts';
import { createGraphClient } from './graph-client.ts';
import { socialNetworkConformance } from './social-network.conformance.ts';

const clientOf = (url: string): ReturnType<typeof createGraphClient> =>
  createGraphClient({
    graphUrl: `${url}/graph`,
    tokens: [{ igUserId: '17841400000000001', token: 'sandbox-token' }],
    now: Date.now,
  });

test('the sandbox tells all that is asked of a profile', async () => {
  const { url, control, close } = await openSandboxWorld();
  const network = clientOf(url);
  const profile = { username: 'ada', name: 'Ada', bio: 'Paints.', followers: 12, posts: 1 };
  await control('POST', 'accounts', profile);
  const outcome = await network.readAccount({
    bucketId: network.bucketIds[0] ?? '',
    username: 'ada',
    limit: 1,
  });
  await network.close();
  await close();
  const told = outcome.kind === 'read' ? Object.entries(outcome.account) : [];
  expect(told.length).toBeGreaterThan(0);
  expect(told.filter(([, value]) => value === '' || value === undefined)).toEqual([]);
});

socialNetworkConformance('The Graph client', async () => {
  const { url, control, faultOnce, close } = await openSandboxWorld();
  const network = clientOf(url);
  return {
    network,
    addAccount: (username, posts) =>
      control('POST', 'accounts', { username, posts }) as Promise<{ igId: string }>,
    addUnreadableAccount: async (username) => {
      await control('POST', 'accounts', { username, kind: 'personal' });
    },
    addPost: (username, { caption, isVideo = false, isHidingLikes = false }) =>
      control('POST', `accounts/${username}/posts`, {
        caption,
        mediaType: isVideo ? 'VIDEO' : 'IMAGE',
        hideLikes: isHidingLikes,
      }) as Promise<{ id: string }>,
    deletePost: async (id) => {
      await control('DELETE', `posts/${id}`);
    },
    rename: async (from, to) => {
      await control('POST', `accounts/${from}/rename`, { username: to });
    },
    throttleOnce: (minutes) => faultOnce('graph', { scenario: 'throttled', code: 80_002, minutes }),
    failOnce: () => faultOnce('graph', { scenario: 'server_error' }),
    close: async () => {
      await network.close();
      await close();
    },
  };
});
