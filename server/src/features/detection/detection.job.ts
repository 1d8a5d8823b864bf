import type { Job } from '../../jobs/job.ts';
import { createLoop } from '../../jobs/loop.ts';
import { beat } from '../fair-clock/service-clock.repository.ts';
import { type DetectionDeps, Detector } from './detector.ts';
import { returnToService } from './graph-bucket.repository.ts';

const IDLE_MS = 250;
/** Rounds that go well say so this often; the fair clock takes a long silence for an outage. */
const BEAT_EVERY_MS = 60_000;

/**
 * Detects new posts of watched accounts: as many workers as wanted share the accounts. Starting one
 * gives tokens that the network had refused another chance (the operator has replaced them).
 */
export function createDetectionJob(deps: DetectionDeps): Job {
  const detector = new Detector(deps);
  let isStarted = false;
  let beatenAtMs = -Infinity;
  const loop = createLoop({
    name: 'detection',
    clock: deps.clock,
    log: deps.log,
    idleMs: IDLE_MS,
    async round(signal) {
      if (!isStarted) {
        const now = new Date(deps.clock.now());
        await returnToService(deps.database.db, deps.network.bucketIds, now);
        isStarted = true;
      }
      const outcome = await detector.round(signal);
      const nowMs = deps.clock.now();
      if (nowMs - beatenAtMs >= BEAT_EVERY_MS) {
        await beat(deps.database, new Date(nowMs));
        beatenAtMs = nowMs;
      }
      return outcome;
    },
  });
  return {
    name: loop.name,
    wake: () => loop.wake(),
    async run(signal) {
      await loop.run(signal);
      await detector.settled();
    },
  };
}
