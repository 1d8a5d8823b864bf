/**
 * SHA-256 of everything that travels (`wire.test.ts` computes it), by version, newest last. A released
 * line is never edited: another wire needs another version.
 */
export const WIRE_HISTORY = [
  {
    protocol: 1,
    schema: 1,
    sha256: 'd3c86450cc97e4cdff4e397f5ff2cea1c92a55c63e706de288bfbe4acf94ab36',
  },
] as const;
