import { IMAGE_CACHE, PINNED_IMAGE_CACHE } from './image-cache.ts';

/** Removes kept pictures, those of pinned accounts only when there are no others; false when there was none. */
export async function freeImages(): Promise<boolean> {
  if (!('caches' in globalThis)) return false;
  for (const name of [IMAGE_CACHE, PINNED_IMAGE_CACHE]) {
    const cache = await caches.open(name);
    const hasAny = (await cache.keys()).length > 0;
    await caches.delete(name);
    if (hasAny) return true;
  }
  return false;
}
