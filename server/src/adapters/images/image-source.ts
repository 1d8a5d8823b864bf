/** The port to the network's image hosts. */
export interface ImageSource {
  /** Fetches one picture from an address the network gave us. Never throws. */
  fetchImage(url: string, signal?: AbortSignal): Promise<ImageOutcome>;
}

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

export type ImageOutcome =
  | { kind: 'image'; type: ImageType; bytes: Buffer }
  /** The address has ended (403, 404, 410): the network has a newer one, or none. */
  | { kind: 'expired' }
  /** Not an address pictures may come from, or not a picture. Asking again changes nothing. */
  | { kind: 'refused'; reason: 'address' | 'type' | 'size' }
  /** Time-out, connection lost, a host that may not be reached, 5xx. */
  | { kind: 'unavailable'; reason: string };
