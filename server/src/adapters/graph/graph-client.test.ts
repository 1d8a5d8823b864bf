import { createSandbox } from '#sandbox/sandbox.ts';
import { createGraphClient } from './graph-client.ts';
import { socialNetworkConformance, type SocialNetworkWorld } from './social-network.conformance.ts';

socialNetworkConformance('The Graph client', openSandboxWorld);

async function openSandboxWorld(): Promise<SocialNetworkWorld> {
  const sandbox = await createSandbox({
    port: 0,
    smtpPort: 0,
    statePath: ':memory:',
    providerSecret: 'secret',
    eventsUrl: '',
    isDemo: false,
  });
  const network = createGraphClient({
    graphUrl: `${sandbox.url}/graph`,
    tokens: [{ igUserId: '17841400000000001', token: 'sandbox-token' }],
    now: Date.now,
  });
  const control = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${sandbox.url}/control/${path}`, {
      method,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  };
  const fault = async (body: object): Promise<void> => {
    await control('POST', 'faults', { system: 'graph', times: 1, ...body });
  };
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
    throttleOnce: (minutes) => fault({ scenario: 'throttled', code: 80_002, minutes }),
    failOnce: () => fault({ scenario: 'server_error' }),
    close: async () => {
      await network.close();
      await sandbox.close();
    },
  };
}
