import { Semaphore } from '#server/kit/async/semaphore.ts';
import type { ImageType } from '#server/adapters/images/image-source.ts';

export interface Picture {
  bytes: Buffer;
  type: ImageType;
}

/** Made pictures kept in memory, newest use last. Only saves work: another node makes its own. */
export interface ServedPictures {
  /**
   * The kept picture, or the one `make` makes; callers at the same time share one making. What couldn't be
   * made (undefined) isn't kept.
   */
  get(key: string, make: () => Promise<Picture | undefined>): Promise<Picture | undefined>;
}

/** A picture that would fill more than this part of the cache isn't kept. */
const LARGEST_PART = 1 / 16;

/** Keeps at most `maxBytes`; at most `makersMax` pictures are being made, which bounds the memory they take. */
export function createServedPictures(maxBytes: number, makersMax: number): ServedPictures {
  const kept = new Map<string, Picture>();
  const making = new Map<string, Promise<Picture | undefined>>();
  const makers = new Semaphore({ concurrency: makersMax });
  let size = 0;

  const keep = (key: string, picture: Picture): void => {
    if (picture.bytes.length > maxBytes * LARGEST_PART) return;
    kept.set(key, picture);
    size += picture.bytes.length;
    for (const [oldest, { bytes }] of kept) {
      if (size <= maxBytes) break;
      kept.delete(oldest);
      size -= bytes.length;
    }
  };

  const makeOnce = (
    key: string,
    make: () => Promise<Picture | undefined>,
  ): Promise<Picture | undefined> =>
    makers.run(async () => {
      try {
        const picture = await make();
        if (picture) keep(key, picture);
        return picture;
      } finally {
        making.delete(key);
      }
    });

  return {
    async get(key, make) {
      const picture = kept.get(key);
      if (picture) {
        kept.delete(key);
        kept.set(key, picture);
        return picture;
      }
      const running = making.get(key) ?? makeOnce(key, make);
      making.set(key, running);
      return running;
    },
  };
}
