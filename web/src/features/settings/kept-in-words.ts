import type { Platform } from '#shared/platform.ts';
import type { DeviceStorage } from '#web/platform/device-storage.ts';

type Shell = Platform['kind'];

/** Where the replica is, and what it is for. */
export function copyInWords(shell: Shell): string {
  const place = shell === 'desktop' ? 'app' : 'browser';
  return `Your posts, accounts and payments are kept in this ${place}, so they open offline. Logging out removes them.`;
}

/** How much room the copy takes, and how safe it is there. */
export function storageInWords(
  { isPersistent, usedBytes, quotaBytes }: DeviceStorage,
  shell: Shell,
): string {
  const used = `${inMegabytes(usedBytes)} of ${inMegabytes(quotaBytes)} used.`;
  const keeper = shell === 'desktop' ? 'The app' : 'The browser';
  return isPersistent
    ? `${used} ${keeper} keeps it until you log out.`
    : `${used} ${keeper} may clear it when the device runs low on space. We’ll then load it again.`;
}

const inMegabytes = (bytes: number): string =>
  `${Math.ceil(bytes / 1_000_000).toLocaleString('en-US')} MB`;
