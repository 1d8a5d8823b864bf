import type { Partition, PictureStorage } from '#shared/pictures/picture-cache.ts';

/** Every cache of pictures begins so; the shell's own cache holds nothing of a user. */
const CACHE = 'ovation-images';
const CACHES: Readonly<Record<Partition, string>> = { usual: CACHE, pinned: `${CACHE}-pinned` };

/** Pictures in the browser's Cache Storage: the service worker keeps them, pages and the engine let them go. */
export const browserPictures: PictureStorage = {
  open: (partition) => caches.open(CACHES[partition]),
  clear: async () => {
    if (!('caches' in globalThis)) return;
    for (const name of await caches.keys()) {
      if (name.startsWith(CACHE)) await caches.delete(name);
    }
  },
};

/** Removes kept pictures, those of pinned accounts only when there are no others; false when there was none. */
export async function freePictures(): Promise<boolean> {
  if (!('caches' in globalThis)) return false;
  for (const partition of ['usual', 'pinned'] as const) {
    const hasAny = (await (await browserPictures.open(partition)).keys()).length > 0;
    await caches.delete(CACHES[partition]);
    if (hasAny) return true;
  }
  return false;
}
