/** Does the work soon after it was asked for; what is asked for meanwhile is done once more afterwards. */
export function oneAtATime(
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): () => void {
  let isRunning = false;
  let isDue = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    // So that what is asked for in one go is done together.
    await Promise.resolve();
    isDue = false;
    await work().catch(onError);
    isRunning = false;
    if (isDue) void run();
  };
  return () => {
    isDue = true;
    if (!isRunning) void run();
  };
}
