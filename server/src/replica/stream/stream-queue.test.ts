import { expect, test } from 'vitest';
import { FakeClock } from '#test/fake-clock.ts';
import { StreamQueue, streamEvent } from './stream-queue.ts';

const SCOPE = 'w:0192d3c0-0000-7000-8000-000000000001';
const OTHER = 'b:0192d3c0-0000-7000-8000-000000000001';
const clock = new FakeClock();

async function readAll(queue: StreamQueue): Promise<string[]> {
  queue.end();
  const texts: string[] = [];
  for (;;) {
    const text = await queue.next();
    if (text === undefined) return texts;
    texts.push(text);
  }
}

test('what is put is read in its order, and the end comes after it', async () => {
  const queue = new StreamQueue(clock, 100);
  queue.putEvent('drop', { scope: SCOPE });
  queue.putChange(SCOPE, 1, 'one');
  queue.putChange(SCOPE, 2, 'two');
  expect(await readAll(queue)).toEqual([streamEvent('drop', { scope: SCOPE }), 'one', 'two']);
});

test('a slow reader gets the newest head of each scope instead of more than fits', async () => {
  const queue = new StreamQueue(clock, 1000);
  queue.putEvent('drop', { scope: OTHER });
  for (let v = 1; v <= 500; v += 1) queue.putChange(SCOPE, v, 'é'.repeat(100));
  queue.putChange(OTHER, 7, 'x'.repeat(1000));
  const texts = await readAll(queue);
  expect(texts[0]).toBe(streamEvent('drop', { scope: OTHER }));
  expect(texts.at(-1)).toBe(streamEvent('head', { scope: OTHER, v: 7 }));
  expect(texts).toContain(streamEvent('head', { scope: SCOPE, v: 500 }));
  expect(Buffer.byteLength(texts.join(''))).toBeLessThan(1500);
});

test('a heartbeat is only for who has read everything', async () => {
  const queue = new StreamQueue(clock);
  queue.putHeartbeat();
  queue.putHeartbeat();
  expect(await readAll(queue)).toEqual([': still here\n\n']);
});

test('nothing is put after the end', async () => {
  const queue = new StreamQueue(clock);
  queue.end();
  queue.putChange(SCOPE, 1, 'late');
  expect(await readAll(queue)).toEqual([]);
});

test('it is known for how long nobody has read; whoever waits for more is no slow reader', async () => {
  const queue = new StreamQueue(clock);
  clock.advance(1000);
  expect(queue.unreadMs).toBe(0);
  queue.putEvent('one', {});
  queue.putEvent('two', {});
  clock.advance(1000);
  expect(queue.unreadMs).toBe(1000);
  await queue.next();
  expect(queue.unreadMs).toBe(0);
  clock.advance(500);
  expect(queue.unreadMs).toBe(500);
  await queue.next();
  clock.advance(1000);
  expect(queue.unreadMs).toBe(0);
});

test('an end that nobody reads counts as unread, and what is discarded is read no more', async () => {
  const queue = new StreamQueue(clock);
  queue.putEvent('one', {});
  queue.discard();
  clock.advance(1000);
  expect(queue.unreadMs).toBe(1000);
  expect(await queue.next()).toBeUndefined();
});
