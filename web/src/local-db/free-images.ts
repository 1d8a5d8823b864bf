import { IMAGE_CACHE } from './image-cache.ts';

/** Removes every kept picture; false when there was none. */
export async function freeImages(): Promise<boolean> {
  if (!('caches' in globalThis)) return false;
  const names = (await caches.keys()).filter((name) => name.startsWith(IMAGE_CACHE));
  let hasFreed = false;
  for (const name of names) {
    const cache = await caches.open(name);
    hasFreed ||= (await cache.keys()).length > 0;
    await caches.delete(name);
  }
  return hasFreed;
}
