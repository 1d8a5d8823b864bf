import { openSandboxWorld } from '#test/delivery/sandbox-world.ts';
import { deliveryProviderConformance } from './delivery-provider.conformance.ts';
import { createProviderClient } from './provider-client.ts';

deliveryProviderConformance('The provider client', async () => {
  const { url, providerSecret, control, faultOnce, close } = await openSandboxWorld();
  const provider = createProviderClient({
    providerUrl: `${url}/provider`,
    secret: providerSecret,
    now: Date.now,
  });
  let accounts = 0;
  return {
    provider,
    addMedia: async (count) => {
      accounts += 1;
      const username = `poster${accounts}`;
      const { igId } = (await control('POST', 'accounts', { username })) as { igId: string };
      const media: { igId: string; mediaId: string; shortcode: string }[] = [];
      while (media.length < count) {
        const post = await control('POST', `accounts/${username}/posts`, { caption: 'like me' });
        const { id, shortcode } = post as { id: string; shortcode: string };
        media.push({ igId, mediaId: id, shortcode });
      }
      return media;
    },
    loseAnswer: () => faultOnce('provider', { scenario: 'error_after' }),
    failOnce: () => faultOnce('provider', { scenario: 'error' }),
    orderedLikes: async () => {
      const book = (await control('GET', 'provider/book')) as { orders: { ordered: number }[] };
      return book.orders.reduce((sum, { ordered }) => sum + ordered, 0);
    },
    setMembers: async (count) => {
      await control('POST', 'members', { count });
    },
    close: async () => {
      await provider.close();
      await close();
    },
  };
});
