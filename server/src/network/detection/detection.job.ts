import type { Job } from '#server/kit/jobs/job.ts';
import { createLoop } from '#server/kit/jobs/loop.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { beat } from './service-clock.repository.ts';
import { type DetectionDeps, Detector, IDLE_MS } from './detector.ts';
import type { PostEvents } from './post-events.ts';
import { returnToService } from '../allowance/graph-bucket.repository.ts';

/** Rounds that go well say so this often; service credits count a long silence as an outage. */
const BEAT_EVERY_MS = MINUTE_MS;

/**
 * Detects new posts of polled accounts: as many workers as wanted share the accounts. Starting one
 * gives tokens that the network had refused another chance (the operator has replaced them).
 */
export function createDetectionJob(deps: DetectionDeps, events: PostEvents): Job {
  const detector = new Detector(deps, events);
  let isStarted = false;
  let beatenAtMs = -Infinity;
  const loop = createLoop(deps, {
    name: 'detection',
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
