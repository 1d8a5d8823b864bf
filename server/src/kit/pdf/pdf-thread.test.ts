import { expect, test } from 'vitest';
import { drawInThread, SHARE, WAITING_LIMIT } from './pdf-thread.ts';

const DRAWER = new URL(
  'data:text/javascript,export const draw = async (nth) => new Uint8Array([nth])',
);

test('PDFs are drawn in their order, and whoever comes when too many wait is asked to come again', async () => {
  const all = Array.from({ length: WAITING_LIMIT + 3 }, (_, nth) =>
    drawInThread(DRAWER, nth, `${nth}`),
  );
  const answers = await Promise.allSettled(all);
  const drawn = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value[0]] : []));
  expect(drawn).toEqual(Array.from({ length: WAITING_LIMIT + 1 }, (_, nth) => nth));
  expect(answers.slice(drawn.length)).toEqual([
    expect.objectContaining({ reason: expect.objectContaining({ code: 'overloaded' }) }),
    expect.objectContaining({ reason: expect.objectContaining({ code: 'overloaded' }) }),
  ]);
  expect([...(await drawInThread(DRAWER, 7, 'ada'))]).toEqual([7]);
});

test('who asks for many is asked to come again, and others’ PDFs are drawn', async () => {
  const many = Array.from({ length: SHARE + 2 }, (_, nth) => drawInThread(DRAWER, nth, 'greedy'));
  const other = drawInThread(DRAWER, 9, 'ada');
  const answers = await Promise.allSettled(many);
  const refused = answers.filter(({ status }) => status === 'rejected');
  expect(refused).toEqual([
    expect.objectContaining({ reason: expect.objectContaining({ code: 'overloaded' }) }),
    expect.objectContaining({ reason: expect.objectContaining({ code: 'overloaded' }) }),
  ]);
  expect([...(await other)]).toEqual([9]);
  expect([...(await drawInThread(DRAWER, 7, 'greedy'))]).toEqual([7]);
});
