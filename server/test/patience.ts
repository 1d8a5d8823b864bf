/** What has not come by then does not come, on a quiet machine. */
export const WAIT_MS = 120_000;
/** A test that has not ended by then hangs, on a quiet machine. */
export const TEST_MS = 600_000;

/** Set at the start of a run (`run/measure-patience.ts`); everything the run starts inherits it. */
const VARIABLE = 'TEST_PATIENCE';

export function setPatience(factor: number): void {
  process.env[VARIABLE] = String(factor);
}

/** A deadline in ms: longer on a machine that is slow, or was busy when the run began. */
export function patiently(delayMs: number): number {
  return Math.round(delayMs * Number(process.env[VARIABLE] ?? 1));
}
