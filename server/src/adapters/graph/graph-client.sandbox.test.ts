import { openSandboxWorld } from '#test/sandbox-world.ts';
import { createGraphClient } from './graph-client.ts';
import { socialNetworkConformance } from './social-network.conformance.ts';

socialNetworkConformance('The Graph client', async () => {
  const { url, control, faultOnce, close } = await openSandboxWorld();
  const network = createGraphClient({
    graphUrl: `${url}/graph`,
    tokens: [{ igUserId: '17841400000000001', token: 'sandbox-token' }],
    now: Date.now,
  });
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
