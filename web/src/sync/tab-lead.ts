/**
 * Does the work while this tab is the leader: at once when no other is, otherwise when the one that
 * is has closed. The lock is held, never tested and then taken. Without locks every tab works, and
 * the term in the local copy lets only the last that began write.
 */
export async function whileLeading(
  userId: string,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  if (!('locks' in navigator)) return work();
  try {
    await navigator.locks.request(`ovation-sync-${userId}`, { signal }, work);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
