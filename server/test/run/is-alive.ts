/** Whether a process runs, whosever it is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive all the same.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
