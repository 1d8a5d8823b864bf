/** How a browser's offer stands, by the server's clock (D8). */
export interface PromoClock {
  endsAtMs: number;
  /** The server's clock minus the browser's. */
  skewMs: number;
}

/** Whole seconds until the offer ends; 0 and no less once it has. */
export function secondsLeft({ endsAtMs, skewMs }: PromoClock, nowMs: number): number {
  return Math.max(0, Math.ceil((endsAtMs - (nowMs + skewMs)) / 1000));
}

/** Seconds as minutes:seconds, e.g. 5:00, 4:59, 0:00. */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
