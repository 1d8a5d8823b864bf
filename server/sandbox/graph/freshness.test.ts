import { expect, test } from 'vitest';
import { createImageUrls } from '../cdn.ts';
import { createOutsideWorld } from '../outside-world.fake.ts';
import { registerProvider } from '../provider.ts';
import { orderFor, providerClient } from '../provider/provider-client.fake.ts';
import { registerGraph } from './routes.ts';

test('likes and views that members give show in the very next answer, each member once', async () => {
  const world = createOutsideWorld();
  const { app, ctx, clock } = world;
  registerGraph(app, ctx, createImageUrls(ctx.db));
  const provider = registerProvider(app, ctx, { tickMs: 0 });
  const reel = world.post({ mediaType: 'VIDEO', file: 'upload/x.webm', organicLikes: 5 });
  const username = ctx.accounts.find(reel.igId)?.username ?? '';
  const read = async (): Promise<unknown> => {
    const fields = `business_discovery.username(${username}){media{like_count,view_count}}`;
    const answer = await app.request(
      `/graph/v26.0/17841400000000001?fields=${encodeURIComponent(fields)}`,
      { headers: { authorization: 'Bearer sandbox-token' } },
    );
    const { business_discovery: found } = (await answer.json()) as {
      business_discovery: { media: { data: unknown[] } };
    };
    return found.media.data[0];
  };
  expect(await read()).toMatchObject({ like_count: 5, view_count: 0 });
  await providerClient(world).place(orderFor(world, reel, { likes: 40, views: 40 }));
  for (let second = 0; second <= 600; second += 10) {
    clock.nowMs += 10_000;
    provider.tick();
  }
  expect(await read()).toMatchObject({ like_count: 45, view_count: 40 });
  expect(ctx.media.countDistinctMembers(reel.id)).toBe(40);
  await provider.close();
  world.drop();
});
