import { expect, test } from 'vitest';
import { drawInThread, WAITING_LIMIT } from './pdf-thread.ts';

const DRAWER = new URL(
  'data:text/javascript,export const draw = async (nth) => new Uint8Array([nth])',
);

test('PDFs are drawn in their order, and whoever comes when too many wait is asked to come again', async () => {
  const all = Array.from({ length: WAITING_LIMIT + 3 }, (_, nth) => drawInThread(DRAWER, nth));
  const answers = await Promise.allSettled(all);
  const drawn = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value[0]] : []));
  expect(drawn).toEqual(Array.from({ length: WAITING_LIMIT + 1 }, (_, nth) => nth));
  expect(answers.slice(drawn.length)).toEqual([
    expect.objectContaining({ reason: expect.objectContaining({ code: 'overloaded' }) }),
    expect.objectContaining({ reason: expect.objectContaining({ code: 'overloaded' }) }),
  ]);
  expect([...(await drawInThread(DRAWER, 7))]).toEqual([7]);
});
