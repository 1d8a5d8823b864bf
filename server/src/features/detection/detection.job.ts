import type { Job } from '../../jobs/job.ts';
import { createLoop } from '../../jobs/loop.ts';
import { type DetectionDeps, Detector } from './detector.ts';
import { returnToService } from './graph-bucket.repository.ts';

const IDLE_MS = 250;

/**
 * Detects new posts of watched accounts: as many workers as wanted share the accounts. Starting one
 * gives tokens that the network had refused another chance (the operator has replaced them).
 */
export function createDetectionJob(deps: DetectionDeps): Job {
  const detector = new Detector(deps);
  let isStarted = false;
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
      return detector.round(signal);
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
