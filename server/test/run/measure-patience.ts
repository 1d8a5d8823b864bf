/** What the probe takes on one quiet core of the machine that the deadlines were chosen on, ms. */
const QUIET_MS = 25;
const ROUNDS = 3;
const LONGEST = 12;

/**
 * How many times as long as on that quiet machine a run waits before it calls something hung: the probe's
 * time over its time there, at least 1. A machine that is busy or slow gets more.
 */
export function measurePatience(): number {
  const times = Array.from({ length: ROUNDS }, timeOfProbe);
  return Math.min(LONGEST, Math.max(1, Math.max(...times) / QUIET_MS));
}

/** Milliseconds that a fixed piece of computing takes. */
function timeOfProbe(): number {
  const startedAt = performance.now();
  let mixed = 1;
  for (let step = 0; step < 20_000_000; step += 1) mixed = Math.imul(mixed ^ step, 0x9e3779b1);
  // The result is looked at, so that the work is done.
  return performance.now() - startedAt + (mixed === 0 ? 1e-6 : 0);
}
