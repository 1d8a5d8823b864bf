import type { PlatformStorage } from '#shared/platform.ts';

/** Small texts in memory, in place of what a browser keeps. */
export function memoryStorage(): PlatformStorage {
  const texts = new Map<string, string>();
  return {
    read: (key) => texts.get(key) ?? null,
    write: (key, value) => void texts.set(key, value),
    remove: (key) => void texts.delete(key),
  };
}
