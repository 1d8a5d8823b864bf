/** A new post is to be detected this soon after its upload (D7). */
export const DETECTION_TARGET_SECONDS = 30;
/** With fewer completed orders than this no measured time is shown (D1). */
const PROMISE_MIN_ORDERS = 100;

/** Measured times of completed orders, in milliseconds: half of them were at most p50, 95 % at most p95. */
export interface DeliveryTimes {
  orders: number;
  /** From the post's upload to its detection. */
  detectedP50Ms: number;
  detectedP95Ms: number;
  /** From the detection to the last like, of orders at Instant speed. */
  finishedP50Ms: number;
  finishedP95Ms: number;
  /** True when the orders were played by the sandbox. */
  isDemoData: boolean;
}

/** What stands where nothing has been measured yet. */
export const DELIVERY_TARGET = `Our target: new posts are detected within ${DETECTION_TARGET_SECONDS} seconds. We’ll publish real times after our first ${PROMISE_MIN_ORDERS} orders.`;

/**
 * The promise of the pages (D7): one sentence from measured times with the target beside it; the
 * target alone while there are too few orders for a figure.
 */
export function deliverySentence(times: DeliveryTimes | undefined): string {
  if (!times || times.orders < PROMISE_MIN_ORDERS) return DELIVERY_TARGET;
  const source = times.isDemoData ? 'Demo data, measured' : 'Measured';
  return [
    `${source} on our last ${times.orders.toLocaleString('en-US')} completed orders:`,
    `half of the posts were detected within ${inWords(times.detectedP50Ms)}, 95% within ${inWords(times.detectedP95Ms)}.`,
    `Half had all their likes within ${inWords(times.finishedP50Ms)} of detection, 95% within ${inWords(times.finishedP95Ms)}.`,
    `Our target for detection is ${DETECTION_TARGET_SECONDS} seconds.`,
  ].join(' ');
}

/** A duration as people say it, rounded up: never shorter than what was measured. */
export function inWords(durationMs: number): string {
  const seconds = Math.max(1, Math.ceil(durationMs / 1000));
  if (seconds < 90) return count(seconds, 'second');
  const minutes = Math.ceil(seconds / 60);
  return minutes < 90 ? count(minutes, 'minute') : count(Math.ceil(minutes / 60), 'hour');
}

function count(amount: number, unit: string): string {
  return amount === 1 ? `1 ${unit}` : `${amount} ${unit}s`;
}
