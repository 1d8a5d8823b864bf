import type { ImageOutcome, ImageSource } from './image-source.ts';

/** Image hosts in memory. */
export interface FakeImageSource extends ImageSource {
  /** Every address asked for, oldest first. */
  readonly calls: readonly string[];
  /** What an address answers from now on; unknown addresses have expired. */
  put(url: string, outcome: ImageOutcome): void;
}

export function createFakeImageSource(): FakeImageSource {
  const outcomes = new Map<string, ImageOutcome>();
  const calls: string[] = [];
  return {
    calls,
    put: (url, outcome) => void outcomes.set(url, outcome),
    fetchImage(url) {
      calls.push(url);
      return Promise.resolve(outcomes.get(url) ?? { kind: 'expired' });
    },
  };
}
