import { expect, test } from 'vitest';
import { settled } from '#web/testing/live-server.ts';
import type { FromEngine, ToEngine, EngineHost } from './run-engine.ts';
import { startEngine } from './start-engine.ts';

/** A worker whose engine says what the test lets it say. */
class TestWorker extends EventTarget {
  readonly told: string[] = [];
  isTerminated = false;
  postMessage({ kind }: ToEngine): void {
    this.told.push(kind);
  }
  terminate(): void {
    this.isTerminated = true;
  }
  say(data: FromEngine): void {
    this.dispatchEvent(new MessageEvent('message', { data }));
  }
}

const host: EngineHost = {
  now: () => 0,
  newId: () => '',
  random: () => 0,
  onStatus: () => undefined,
  report: () => undefined,
  onCommand: () => () => undefined,
};
const settings = { userId: 'ada', apiOrigin: '' };

function started(signal: AbortSignal) {
  const worker = new TestWorker();
  const ended = startEngine(settings, host, signal, worker as unknown as Worker);
  return { worker, ended };
}

test('an engine that is stopped before it has opened the replica never opens it', async () => {
  const stopping = new AbortController();
  const { worker, ended } = started(stopping.signal);
  stopping.abort();
  await settled();
  expect([worker.told, worker.isTerminated]).toEqual([['start'], true]);
  expect(await ended).toBe('stopped');

  const late = started(AbortSignal.abort());
  expect(await late.ended).toBe('stopped');
  expect([late.worker.told, late.worker.isTerminated]).toEqual([[], true]);
});

test('an engine that has opened the replica is let to close it', async () => {
  const stopping = new AbortController();
  const { worker, ended } = started(stopping.signal);
  worker.say({ kind: 'status', status: { kind: 'live' } });
  stopping.abort();
  await settled();
  expect([worker.told, worker.isTerminated]).toEqual([['start', 'stop'], false]);
  worker.say({ kind: 'ended', end: 'stopped' });
  expect(await ended).toBe('stopped');
  expect(worker.isTerminated).toBe(true);
});
