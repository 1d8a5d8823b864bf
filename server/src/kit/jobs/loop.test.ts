import { expect, test } from 'vitest';
import { FakeClock } from '#test/fake-clock.ts';
import { createLoop, type Round } from './loop.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A loop over scripted rounds that stops itself when the script has ended. */
function scripted(rounds: Array<Round | Error>) {
  const clock = new FakeClock();
  const stop = new AbortController();
  const startedAtMs: number[] = [];
  const begin = clock.now();
  const job = createLoop(
    { clock, log: silent },
    {
      name: 'scripted',
      idleMs: 1000,
      round: async () => {
        startedAtMs.push(clock.now() - begin);
        const next = rounds.shift();
        if (rounds.length === 0) stop.abort();
        if (next instanceof Error) throw next;
        return next ?? 'idle';
      },
    },
  );
  return { clock, job, startedAtMs, running: job.run(stop.signal) };
}

test('a busy round is followed at once, an idle one after the pause', async () => {
  const { clock, startedAtMs, running } = scripted(['again', 'idle', { idleMs: 50 }, 'idle']);
  await settled();
  clock.advance(1000);
  await settled();
  clock.advance(50);
  await running;
  expect(startedAtMs).toEqual([0, 0, 1000, 1050]);
});

test('failures back off doubling and a success resets them', async () => {
  const { clock, startedAtMs, running } = scripted([
    new Error('a'),
    new Error('b'),
    'again',
    new Error('c'),
    'idle',
  ]);
  for (const stepMs of [500, 1000, 500]) {
    await settled();
    clock.advance(stepMs);
  }
  await running;
  expect(startedAtMs).toEqual([0, 500, 1500, 1500, 2000]);
});

test('a wake ends the pause, also one that came before it', async () => {
  const { job, startedAtMs, running } = scripted(['idle', 'idle', 'idle']);
  await settled();
  job.wake();
  await settled();
  job.wake();
  await running;
  expect(startedAtMs).toEqual([0, 0, 0]);
});
