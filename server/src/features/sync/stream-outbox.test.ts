import { expect, test } from 'vitest';
import { FakeClock } from '#test/fake-clock.ts';
import { StreamOutbox, streamEvent } from './stream-outbox.ts';

const SCOPE = 'w:0192d3c0-0000-7000-8000-000000000001';
const OTHER = 'b:0192d3c0-0000-7000-8000-000000000001';
const clock = new FakeClock();

async function readAll(outbox: StreamOutbox): Promise<string[]> {
  outbox.end();
  const texts: string[] = [];
  for (;;) {
    const text = await outbox.next();
    if (text === undefined) return texts;
    texts.push(text);
  }
}

test('what is put is read in its order, and the end comes after it', async () => {
  const outbox = new StreamOutbox(clock, 100);
  outbox.putEvent('drop', { scope: SCOPE });
  outbox.putChange(SCOPE, 1, 'one');
  outbox.putChange(SCOPE, 2, 'two');
  expect(await readAll(outbox)).toEqual([streamEvent('drop', { scope: SCOPE }), 'one', 'two']);
});

test('a slow reader gets the newest head of each scope instead of more than fits', async () => {
  const outbox = new StreamOutbox(clock, 1000);
  outbox.putEvent('drop', { scope: OTHER });
  for (let v = 1; v <= 500; v += 1) outbox.putChange(SCOPE, v, 'é'.repeat(100));
  outbox.putChange(OTHER, 7, 'x'.repeat(1000));
  const texts = await readAll(outbox);
  expect(texts[0]).toBe(streamEvent('drop', { scope: OTHER }));
  expect(texts.at(-1)).toBe(streamEvent('head', { scope: OTHER, v: 7 }));
  expect(texts).toContain(streamEvent('head', { scope: SCOPE, v: 500 }));
  expect(Buffer.byteLength(texts.join(''))).toBeLessThan(1500);
});

test('a heartbeat is only for who has read everything', async () => {
  const outbox = new StreamOutbox(clock);
  outbox.putHeartbeat();
  outbox.putHeartbeat();
  expect(await readAll(outbox)).toEqual([': still here\n\n']);
});

test('nothing is put after the end', async () => {
  const outbox = new StreamOutbox(clock);
  outbox.end();
  outbox.putChange(SCOPE, 1, 'late');
  expect(await readAll(outbox)).toEqual([]);
});

test('it is known for how long nobody has read; whoever waits for more is no slow reader', async () => {
  const outbox = new StreamOutbox(clock);
  clock.advance(1000);
  expect(outbox.unreadMs).toBe(0);
  outbox.putEvent('one', {});
  outbox.putEvent('two', {});
  clock.advance(1000);
  expect(outbox.unreadMs).toBe(1000);
  await outbox.next();
  expect(outbox.unreadMs).toBe(0);
  clock.advance(500);
  expect(outbox.unreadMs).toBe(500);
  await outbox.next();
  clock.advance(1000);
  expect(outbox.unreadMs).toBe(0);
});

test('an end that nobody reads counts as unread, and what is discarded is read no more', async () => {
  const outbox = new StreamOutbox(clock);
  outbox.putEvent('one', {});
  outbox.discard();
  clock.advance(1000);
  expect(outbox.unreadMs).toBe(1000);
  expect(await outbox.next()).toBeUndefined();
});
