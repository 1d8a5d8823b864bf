/**
 * Ends this process by its exit, at which it cleans up, when it is told to stop. It stays so: npm passes Ctrl+C on a
 * second time, which would end it on the spot.
 */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => process.exit(130));
  }
}
