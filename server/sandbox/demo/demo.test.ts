import { expect, test } from 'vitest';
import { createOutsideWorld } from '../outside-world.fake.ts';
import { CAST } from './cast.ts';
import { createDemo, seedDemo } from './demo.ts';

test('the cast is seeded once, back-dated, with readable and unreadable accounts', () => {
  const { ctx } = createOutsideWorld();
  seedDemo(ctx);
  seedDemo(ctx);
  const accounts = ctx.accounts.list(50);
  expect(accounts).toHaveLength(CAST.length);
  expect(accounts.filter((account) => !ctx.accounts.isReadable(account))).toHaveLength(2);
  for (const account of accounts) {
    const media = ctx.media.listByAccount(account.igId, 50);
    expect(media.length).toBeGreaterThan(2);
    expect(Math.max(...media.map((each) => each.takenAt))).toBeLessThan(ctx.now());
  }
});

test('new pictures come a minute or two apart on readable accounts, slower on a busy day', () => {
  const { ctx, clock } = createOutsideWorld();
  seedDemo(ctx);
  const demo = createDemo(ctx);
  expect(demo.nextPostMs()).toBeGreaterThanOrEqual(60_000);
  expect(demo.nextPostMs()).toBeLessThanOrEqual(120_000);
  for (let posted = 0; posted < 60; posted += 1) {
    clock.nowMs += 90_000;
    const account = ctx.accounts.find(demo.post()?.igId ?? '');
    expect(account && ctx.accounts.isReadable(account)).toBe(true);
  }
  expect(demo.nextPostMs()).toBeGreaterThan(240_000);
});

test('likes of passers-by climb, faster on fresh posts, and never fall', () => {
  const { ctx, clock } = createOutsideWorld();
  seedDemo(ctx);
  const demo = createDemo(ctx);
  const fresh = demo.post();
  const old = ctx.media.listNewest(200).at(-1);
  for (let step = 0; step < 900; step += 1) {
    clock.nowMs += 4000;
    demo.grow(4000);
  }
  const gained = ctx.media.get(fresh?.id ?? '').organicLikes;
  expect(gained).toBeGreaterThan(40);
  expect(gained).toBeLessThan(140);
  const oldGain = ctx.media.get(old?.id ?? '').organicLikes - (old?.organicLikes ?? 0);
  expect(oldGain).toBeGreaterThanOrEqual(0);
  expect(oldGain).toBeLessThan(gained);
});

test('where thousands were planted, all of them post, one every few seconds', () => {
  const { ctx, clock } = createOutsideWorld();
  seedDemo(ctx);
  for (let nr = 0; nr < 40; nr += 1) {
    ctx.accounts.create({ username: `planted.${nr}`, kind: 'business', isDemo: true });
  }
  const demo = createDemo(ctx);
  const names = new Set<string>();
  for (let posted = 0; posted < 200; posted += 1) {
    clock.nowMs += 10_000;
    names.add(ctx.accounts.find(demo.post()?.igId ?? '')?.username ?? '');
  }
  expect([...names].filter((name) => name.startsWith('planted.')).length).toBeGreaterThan(30);
  expect(demo.nextPostMs()).toBeLessThanOrEqual(15_000);
});
