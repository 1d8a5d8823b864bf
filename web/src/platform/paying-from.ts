import type { Platform } from '#shared/platform.ts';

const KEY = 'ovation-paying-from';
type Storage = Pick<Platform, 'storage'>;

/** Keeps the page that somebody left for their bank, for when they come back. */
export function keepPayingFrom({ storage }: Storage, page: string): void {
  storage.write(KEY, page);
}

/** The page they left last on this device; nobody has checked it. */
export function readPayingFrom({ storage }: Storage): string | undefined {
  return storage.read(KEY) ?? undefined;
}

/** Once it is paid, and after a log-out. */
export function forgetPayingFrom({ storage }: Storage): void {
  storage.remove(KEY);
}
