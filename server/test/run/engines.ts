/**
 * Tests that a whole run takes to the embedded database too: where its one connection, its lock, its queue
 * or its reading of types could differ from Postgres. Every other statement is the same Postgres inside,
 * and `npm run test:engines` asks them all. Streams are counted and let go of in
 * memory. Plans are bought there by the demo of `readme.db.test.ts` and by specs of the main job.
 */
export const ON_BOTH_ENGINES = [
  'server/src/kit/**/*.db.test.ts',
  'server/src/identity/{http,limits}/*.db.test.ts',
  'server/src/{mail/queue.job,read-model/orders}.db.test.ts',
  'server/src/{delivery,ops}/{operator,orders}/*.db.test.ts',
  'server/src/replica/**/!(client-histories|granted-clients|kept-requests|stream-endings|stream-limits).db.test.ts',
  'server/src/routes/events.db.test.ts',
  'server/src/money/credits/ledger.db.test.ts',
  'server/test/documents/!(agency-demo).db.test.ts',
];
