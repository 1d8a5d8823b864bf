import { expect, test } from 'vitest';
import { FakeClock } from '#test/fake-clock.ts';
import { WakeableSleep } from './wakeable-sleep.ts';

const never = new AbortController().signal;

test('it ends with its time', async () => {
  const clock = new FakeClock();
  const ended = new WakeableSleep(clock).sleep(1000, never);
  clock.advance(1000);
  await ended;
  expect(clock.isSleptOn()).toBe(false);
});

test('a wake ends it, and one that came before it, but not the one after', async () => {
  const clock = new FakeClock();
  const pause = new WakeableSleep(clock);
  const first = pause.sleep(1000, never);
  pause.wake();
  await first;
  pause.wake();
  await pause.sleep(1000, never);
  const third = pause.sleep(1000, never);
  await clock.untilAsleep();
  clock.advance(1000);
  await third;
  expect(clock.isSleptOn()).toBe(false);
});

test('it ends when everything is to stop', async () => {
  const stop = new AbortController();
  const clock = new FakeClock();
  const ended = new WakeableSleep(clock).sleep(1000, stop.signal);
  stop.abort();
  await ended;
  expect(clock.isSleptOn()).toBe(false);
});
