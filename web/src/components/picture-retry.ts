const RETRY_MS = [3000, 10_000, 30_000, 60_000] as const;
const RETRY_MAX_MS = 300_000;

/** How long to wait before a picture is asked for again, in milliseconds, after so many failures. */
export function pictureRetryMs(failures: number): number {
  return RETRY_MS[failures - 1] ?? RETRY_MAX_MS;
}
