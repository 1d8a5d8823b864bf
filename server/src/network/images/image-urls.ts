import type { MediaType } from '#shared/contract/accounts/post.ts';
import type { ImageTarget } from './image-path.ts';

/** Where the network keeps a picture, as far as we know. */
export interface StoredImage {
  /** null where the network has none: films, profiles without a picture. */
  url: string | null;
  /** undefined for profiles. */
  mediaType: MediaType | undefined;
}

/** The network's addresses of pictures; they expire within days. */
export interface ImageUrls {
  /** undefined when there is no such post or account. */
  findUrl(target: ImageTarget): Promise<StoredImage | undefined>;
  /** Has the network asked for its present address; undefined when it has no other than `staleUrl`, or can't be asked now. */
  refreshUrl(target: ImageTarget, staleUrl: string): Promise<string | undefined>;
}

/**
 * Whether an address says that it has ended: `oe` is Unix time in hex. One without `oe` is tried.
 */
export function isUrlExpired(url: string, nowMs: number): boolean {
  const oe = URL.parse(url)?.searchParams.get('oe') ?? '';
  return /^[0-9a-f]{1,12}$/i.test(oe) && Number.parseInt(oe, 16) * 1000 <= nowMs;
}
