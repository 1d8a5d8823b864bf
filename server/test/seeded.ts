import type { Clock, Ids, Random } from '#server/kit/deps.ts';

/** Random numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** UUIDv7s of the test's clock that count up, so that a failure names the same rows every time. */
export function seededIds(clock: Clock): Ids {
  let counter = 0;
  return {
    uuid: () => {
      counter += 1;
      const time = clock.now().toString(16).padStart(12, '0');
      const tail = counter.toString(16).padStart(12, '0');
      return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${tail}`;
    },
  };
}

/** Bytes of a seeded generator in place of cryptographic ones. */
export function seededBytes(seed: number): Random {
  const next = seededRandom(seed);
  return { bytes: (length) => Buffer.from(Array.from({ length }, () => Math.floor(next() * 256))) };
}
