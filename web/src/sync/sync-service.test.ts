import { expect, test } from 'vitest';
import type { Refreshed } from './refresh.ts';
import { createSyncService, nextDelayMs, type SyncService } from './sync-service.ts';

const quiet: Refreshed = { kind: 'fresh', isInProgress: false };
const busy: Refreshed = { kind: 'fresh', isInProgress: true };
const unreachable: Refreshed = { kind: 'unreachable' };

test('likes in progress are read every 2 s while somebody looks, everything else every 5 s', () => {
  expect(nextDelayMs(busy, 0, true)).toBe(2000);
  expect(nextDelayMs(busy, 0, false)).toBe(5000);
  expect(nextDelayMs(quiet, 0, true)).toBe(5000);
  expect(nextDelayMs({ kind: 'posts_unreadable', sentence: '' }, 0, true)).toBe(5000);
});

test('failures are spaced ever wider, up to 30 s', () => {
  const delays = [1, 2, 3, 4, 5, 50].map((failures) => nextDelayMs(unreachable, failures, true));
  expect(delays).toEqual([2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

/** A service whose refreshes give the listed ends; it is stopped when they run out. */
function serviceWith(ends: Array<Refreshed | Error>): {
  service: SyncService;
  delays: number[];
  reports: string[];
  wakers: Set<() => void>;
} {
  const delays: number[] = [];
  const reports: string[] = [];
  const wakers = new Set<() => void>();
  const service = createSyncService({
    refresh: async () => {
      const end = ends.shift();
      if (end instanceof Error) throw end;
      if (!end) service.stop();
      return end ?? quiet;
    },
    sleep: async (delayMs) => void delays.push(delayMs),
    isVisible: () => true,
    onWake: (listener) => {
      wakers.add(listener);
      return () => wakers.delete(listener);
    },
    report: (event) => void reports.push(event),
  });
  return { service, delays, reports, wakers };
}

test('a success after failures starts the spacing again', async () => {
  const { service, delays } = serviceWith([unreachable, unreachable, busy, unreachable]);
  await service.run();
  expect(delays).toEqual([2000, 4000, 2000, 2000]);
});

test('screens are told only when the status changes', async () => {
  const { service } = serviceWith([quiet, quiet, unreachable, unreachable, quiet]);
  const seen: string[] = [];
  service.subscribe(() => seen.push(service.status().kind));
  await service.run();
  expect(seen).toEqual(['fresh', 'unreachable', 'fresh']);
});

test('an ended session ends the run and leaves nothing listening', async () => {
  const { service, delays, wakers } = serviceWith([quiet, { kind: 'session_ended' }, quiet]);
  await service.run();
  expect(delays).toHaveLength(1);
  expect(wakers.size).toBe(0);
});

test('a refresh that breaks is reported and tried again', async () => {
  const { service, delays, reports } = serviceWith([new Error('disk full'), quiet]);
  await service.run();
  expect(reports).toEqual(['A refresh broke']);
  expect(delays).toEqual([2000, 5000]);
});

test('waking during a refresh is not lost: the wait that follows is already over', async () => {
  const waits: boolean[] = [];
  let refreshes = 0;
  const service = createSyncService({
    refresh: async () => {
      refreshes += 1;
      if (refreshes === 1) service.wake();
      else service.stop();
      return quiet;
    },
    sleep: async (_delayMs, signal) => void waits.push(signal.aborted),
    isVisible: () => true,
    onWake: () => () => undefined,
    report: () => undefined,
  });
  await service.run();
  expect(waits).toEqual([true]);
});
