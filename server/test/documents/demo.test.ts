import { expect, test } from 'vitest';
import { DAY_MS } from '#shared/domain/durations.ts';
import { createDemo, seedDemo } from '#sandbox/demo/demo.ts';
import { createOutsideWorld, WORLD_STARTS_AT } from '#sandbox/outside-world.fake.ts';
import { AUTOMATIC_POSTS_PER_DAY } from '#shared/domain/delivery/automatic-likes.ts';
import { DEMO_ACCOUNTS } from '#server/main/start/demo.ts';

const [TRIED, ...OTHERS] = DEMO_ACCOUNTS;

/** The network lives for three days; how often a day each account posts, by itself. */
function liveThreeDays() {
  const { ctx, clock } = createOutsideWorld();
  seedDemo(ctx);
  const demo = createDemo(ctx);
  const posted = new Map<string, number>();
  while (clock.nowMs < WORLD_STARTS_AT + 3 * DAY_MS) {
    clock.nowMs += demo.nextPostMs();
    const account = ctx.accounts.find(demo.post()?.igId ?? '');
    const day = new Date(clock.nowMs).toISOString().slice(0, 10);
    const key = `${account?.username} ${day}`;
    posted.set(key, (posted.get(key) ?? 0) + 1);
  }
  return { ctx, posted };
}

test('whoever tries the demo finds all slots of its first account free, at any minute of any day', () => {
  const { posted } = liveThreeDays();
  const byItself = [...posted.keys()].filter((key) => key.startsWith(TRIED.igUsername));
  expect(byItself).toEqual([]);
});

test('its other accounts post by themselves every day, and leave slots free', () => {
  const { posted } = liveThreeDays();
  for (const { igUsername } of OTHERS) {
    const counts = [...posted].filter(([key]) => key.startsWith(igUsername));
    expect(counts.length).toBeGreaterThanOrEqual(3);
    for (const [, count] of counts) expect(count).toBeLessThan(AUTOMATIC_POSTS_PER_DAY);
  }
});

test('its accounts have months of history', () => {
  const { ctx } = createOutsideWorld();
  seedDemo(ctx);
  for (const { igUsername } of DEMO_ACCOUNTS) {
    const { igId } = ctx.accounts.getByName(igUsername);
    const times = ctx.media.listByAccount(igId, 100).map(({ takenAt }) => takenAt);
    expect(Math.min(...times)).toBeLessThan(ctx.now() - 50 * DAY_MS);
  }
});
