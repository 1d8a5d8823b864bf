import { expect, test } from 'vitest';
import { pictureRetryMs } from './proxy-image.tsx';

test('a picture is asked for again soon, then ever more rarely, up to every five minutes', () => {
  const delays = [1, 2, 3, 4, 5, 6, 1000].map(pictureRetryMs);
  expect(delays).toEqual([3000, 10_000, 30_000, 60_000, 300_000, 300_000, 300_000]);
});
