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
    sha256: 'f5ab59f9485251e703cc71e2558116a289794c9e1d4af64ce8142231d6c96e35',
  },
  {
    protocol: 1,
    schema: 3,
    sha256: 'b8855a909399f33fd130e4e2e12221ee925d9a61ec3142135be1c26f8fe90f43',
  },
] as const;
