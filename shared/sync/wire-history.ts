/**
 * SHA-256 of everything that travels (`wire.test.ts` computes it), by version, newest last. A released
 * line is never edited: another wire needs another version.
 */
export const WIRE_HISTORY = [
  {
    protocol: 1,
    schema: 1,
    sha256: '78d2f3f01c78fdabf3269b24ef324e36a0e40855a2f43dbe869354748dc6f681',
  },
  {
    protocol: 1,
    schema: 2,
    sha256: '4c62a644ee6e409447fed263948c3c71bddbf5b39f5ad31fb5bddaa9ed279b9c',
  },
] as const;
