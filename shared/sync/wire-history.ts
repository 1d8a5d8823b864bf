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
  {
    protocol: 1,
    schema: 4,
    sha256: 'fbac8d92cc393befd3e6145489de8f3d23157892e5e1819584013c3df995875a',
  },
  {
    protocol: 1,
    schema: 5,
    sha256: '724f51c0dfc98be7141aeb192c33f1082af38d470e6aa07df10fe95b7e58f1f6',
  },
  {
    protocol: 1,
    schema: 6,
    sha256: '734dfdb4f2b1bbbe2624a164517446adaa50d40675155771eccac15cea3c9a9f',
  },
  {
    protocol: 1,
    schema: 7,
    sha256: 'eb0a921e8764ec4c3e69d41d4f933470df88a8a99b8fb84b18e4c1b971da6a9a',
  },
  {
    protocol: 1,
    schema: 8,
    sha256: 'c50000fa5adcdbcd189554081011480ef0286a5763851dd0163fecdfd80fcc6c',
  },
  {
    protocol: 1,
    schema: 9,
    sha256: '609560e76558b145584c4c12c0cb2323118169f41820bd0bf7dd4efd23a9852d',
  },
  {
    protocol: 1,
    schema: 10,
    sha256: '4452a5110f61efc15c7a4cc5549028b4b1cdc62e5d4cdde2e52c6c97c378e8a2',
  },
  {
    protocol: 1,
    schema: 11,
    sha256: '962aad3ad71d3d70e22d8bfacdb4a228a095c4c10a172b6a3e1e4bfa96ac4214',
  },
] as const;
