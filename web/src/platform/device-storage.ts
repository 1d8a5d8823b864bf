/** How much of the device this site uses, and whether the browser may clear it by itself. */
export interface DeviceStorage {
  isPersistent: boolean;
  usedBytes: number;
  /** What the browser would give at most. */
  quotaBytes: number;
}

/** Asks the browser not to clear the replica when the device runs out of room; it may say no. */
export async function askToPersist(): Promise<boolean> {
  if (!('storage' in navigator) || !('persist' in navigator.storage)) return false;
  return (await navigator.storage.persisted()) || navigator.storage.persist();
}

/** Undefined where the browser doesn't tell. */
export async function readDeviceStorage(): Promise<DeviceStorage | undefined> {
  if (!('storage' in navigator)) return undefined;
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  const isPersistent = await navigator.storage.persisted();
  return { isPersistent, usedBytes: usage, quotaBytes: quota };
}
