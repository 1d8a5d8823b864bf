/**
 * Tests that a whole run takes to the embedded database too: where its one connection, its lock, its queue
 * or its reading of types could differ from Postgres. Every other statement is the same Postgres inside,
 * and `npm run test:engines` asks them all.
 */
export const ON_BOTH_ENGINES = [
  'server/src/*.db.test.ts',
  'server/src/{db,http,jobs,operator}/*.db.test.ts',
  'server/src/features/{delivery,orders}/*.db.test.ts',
  'server/src/features/sync/!(client-histories).db.test.ts',
  'server/src/features/credits/ledger.db.test.ts',
  'server/src/features/billing/{charge-crash,checkout}.db.test.ts',
  'server/test/*.db.test.ts',
];
