import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Clock, Ids, Random } from '#server/kit/deps.ts';

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) =>
    delay(delayMs, undefined, signal ? { signal } : {}).then(
      () => undefined,
      () => undefined,
    ),
};

export const systemIds: Ids = { uuid: () => v7() };

export const systemRandom: Random = { bytes: (length) => randomBytes(length) };
