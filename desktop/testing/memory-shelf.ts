import type { PictureStore } from '#shared/pictures/picture-shelves.ts';

/** A shelf of pictures that forgets with the test. */
export function memoryShelf(): PictureStore {
  const kept = new Map<string, Response>();
  const nameOf = (request: RequestInfo | URL): string =>
    request instanceof Request ? request.url : String(request);
  return {
    match: async (request) => kept.get(nameOf(request))?.clone(),
    put: async (request, response) => void kept.set(nameOf(request), response),
    delete: async (request) => kept.delete(nameOf(request)),
    keys: async () => [...kept.keys()].map((url) => new Request(url)),
  };
}
