import { expect, test } from 'vitest';
import type { AutomaticOutcome } from '#shared/domain/delivery/automatic-likes.ts';
import { postExample } from '#web/testing/examples.ts';
import { beforePlanFrom } from '../grid/virtual-post-grid.tsx';

const posts = (...outcomes: AutomaticOutcome[]) =>
  outcomes.map((automaticOutcome, nth) => postExample({ id: String(nth), automaticOutcome }));

test('the posts from before the plan begin behind the newest one it was for', () => {
  expect(beforePlanFrom(posts('ordered', 'daily_limit', 'before_subscription'))).toBe(2);
  expect(beforePlanFrom(posts('before_subscription', 'no_subscription'))).toBe(0);
});

test('nothing is said of them where there are none, or where a plan began among them', () => {
  expect(beforePlanFrom(posts('ordered', 'switched_off'))).toBeUndefined();
  expect(beforePlanFrom(posts('before_subscription', 'ordered'))).toBeUndefined();
  expect(beforePlanFrom(posts('no_subscription'))).toBeUndefined();
});
