// Pictures are requests and responses, wherever they are kept.
/// <reference lib="dom" />
import type { Partition, PicturePartition, PictureStorage } from './picture-cache.ts';

const urlOf = (request: RequestInfo | URL): string =>
  request instanceof Request ? request.url : String(request);

function partitionOver(kept: Map<string, Response>, capacity: number): PicturePartition {
  return {
    match: async (request, options) => {
      const wanted = urlOf(request);
      const found = [...kept].find(([url]) =>
        options?.ignoreSearch ? url.split('?')[0] === wanted.split('?')[0] : url === wanted,
      );
      return found?.[1].clone();
    },
    put: async (request, response) => {
      if (kept.size >= capacity) throw new DOMException('Full', 'QuotaExceededError');
      kept.delete(urlOf(request));
      kept.set(urlOf(request), response);
    },
    delete: async (request) => kept.delete(urlOf(request)),
    keys: async () => [...kept.keys()].map((url) => new Request(url)),
  };
}

export interface MemoryPictures extends PictureStorage {
  /** What a partition holds now, by address. */
  kept(partition: Partition): ReadonlyMap<string, Response>;
}

/** Pictures in memory; `capacity`: so many fit into a partition. */
export function memoryPictures(capacity = Infinity): MemoryPictures {
  const empty = (): Record<Partition, Map<string, Response>> => ({
    usual: new Map(),
    pinned: new Map(),
  });
  let kept = empty();
  return {
    open: async (partition) => partitionOver(kept[partition], capacity),
    clear: async () => {
      kept = empty();
    },
    kept: (partition) => kept[partition],
  };
}
