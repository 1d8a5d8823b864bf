import type { Dexie, Transaction } from 'dexie';
import type { Chunk } from './chunk.ts';
import { PAST_DUE } from './entity-shape.ts';

/** What is stored was laid out so by the first release; a released version is never edited. */
export function oneRecordPerRow(db: Dexie): void {
  db.version(1).stores({
    accounts: 'igUsername',
    posts: 'id, [igId+takenAt]',
    orders: 'id, postId, igId',
    meta: 'key',
  });
}

/**
 * Rows move into chunks that sync keeps right. The rows of before carry no versions to go on from,
 * so they go and are read anew; `keep-signed-in` stays, `posts-answered:*` says nothing any more.
 */
function rowsBecomeChunks(db: Dexie): void {
  oneRecordPerRow(db);
  db.version(2).stores({
    chunk: 'k, *ids, *acc',
    outbox: 'id, state.kind',
    patch: '[entity+id+itemId], itemId',
  });
}

/** The tables of the first release go: nothing reads them any more. */
export function rowsOfTheirOwnGo(db: Dexie): void {
  rowsBecomeChunks(db);
  db.version(3).stores({ accounts: null, posts: null, orders: null });
}

/** Accounts whose renewal was declined are found by a key of their own. */
export function declinedAccountsAreFound(db: Dexie): void {
  rowsOfTheirOwnGo(db);
  db.version(4).upgrade(async (tx) => {
    const chunks = tx.table<Chunk, string>('chunk');
    const keys = await chunks.toCollection().primaryKeys();
    const accounts = await chunks.bulkGet(keys.filter((k) => k.split('|')[1] === 'account'));
    const declined = accounts.filter(
      (chunk) => chunk?.rows.some(({ subscriptionState: state }) => state === 'Past due') ?? false,
    );
    await chunks.bulkPut(
      declined.flatMap((chunk) => (chunk ? { ...chunk, acc: [...chunk.acc, PAST_DUE] } : [])),
    );
  });
}

/**
 * Rows of schema 2. What is held gets neutral values for what it lacks and stays on the screen, until every
 * scope has been read anew: nothing marks the rows as changed that only tell more than before.
 */
export function rowsAreOfSchemaTwo(db: Dexie): void {
  declinedAccountsAreFound(db);
  db.version(5).upgrade(async (tx) => {
    const chunks = tx.table<Chunk, string>('chunk');
    const keys = await chunks.toCollection().primaryKeys();
    const accounts = await chunks.bulkGet(keys.filter((k) => k.split('|')[1] === 'account'));
    await chunks.bulkPut(
      accounts.flatMap((chunk) =>
        chunk
          ? {
              ...chunk,
              rows: chunk.rows.map((row) => ({
                nextPackageId: null,
                nextPackageFrom: null,
                ...row,
              })),
            }
          : [],
      ),
    );
    await readAllAnew(tx);
  });
}

/** Rows of schema 3: orders of posts tell their bonus. Until they are read anew they have none. */
export function rowsAreOfSchemaThree(db: Dexie): void {
  rowsAreOfSchemaTwo(db);
  db.version(6).upgrade(async (tx) => {
    const chunks = tx.table<Chunk, string>('chunk');
    const keys = await chunks.toCollection().primaryKeys();
    const posts = await chunks.bulkGet(keys.filter((k) => k.split('|')[1] === 'post'));
    await chunks.bulkPut(
      posts.flatMap((chunk) =>
        chunk ? { ...chunk, rows: chunk.rows.map((row) => withBonus(row)) } : [],
      ),
    );
    await readAllAnew(tx);
  });
}

function withBonus<Row extends { order?: unknown }>(row: Row): Row {
  const { order } = row;
  return order ? { ...row, order: { bonus: 0, ...order } } : row;
}

/** Changes that the server deferred say so under that name; it was `putOff`. */
function deferralsHaveTheirName(db: Dexie): void {
  rowsAreOfSchemaThree(db);
  db.version(7).upgrade((tx) =>
    tx
      .table<{ state: { putOff?: unknown; deferred?: unknown } }, string>('outbox')
      .toCollection()
      .modify(({ state }) => {
        if (!state.putOff) return;
        state.deferred = state.putOff;
        delete state.putOff;
      }),
  );
}

/** Rows of schema 4: delivery settings are told with the account only. A reading that broke off begins anew. */
function rowsAreOfSchemaFour(db: Dexie): void {
  deferralsHaveTheirName(db);
  db.version(8).upgrade(async (tx) => {
    const chunks = tx.table<Chunk, string>('chunk');
    const keys = await chunks.toCollection().primaryKeys();
    await chunks.bulkDelete(keys.filter((k) => k.split('|')[1] === 'deliverySettings'));
    await tx
      .table<{ entity: string }>('patch')
      .filter(({ entity }) => entity === 'deliverySettings')
      .delete();
    await endReadings(tx);
  });
}

/** Rows of schema 5: accounts have tags. One that came before had none, or came with them. */
function rowsAreOfSchemaFive(db: Dexie): void {
  rowsAreOfSchemaFour(db);
  db.version(9).upgrade(async (tx) => {
    const chunks = tx.table<Chunk, string>('chunk');
    const keys = await chunks.toCollection().primaryKeys();
    const accounts = await chunks.bulkGet(keys.filter((k) => k.split('|')[1] === 'account'));
    await chunks.bulkPut(
      accounts.flatMap((chunk) =>
        chunk ? { ...chunk, rows: chunk.rows.map((row) => ({ tags: [], ...row })) } : [],
      ),
    );
  });
}

/** Rows of schema 6: the person's tells of their membership, so what tells of the person is read again. */
function rowsAreOfSchemaSix(db: Dexie): void {
  rowsAreOfSchemaFive(db);
  db.version(10).upgrade(readAllAnew);
}

/** Rows of schema 8: what alerts are read off is told with accounts, money and the person. */
function rowsAreOfSchemaEight(db: Dexie): void {
  rowsAreOfSchemaSix(db);
  db.version(11).upgrade(readAllAnew);
}

/** Rows of schema 9: an order tells the code of why it ended. */
export function rowsAreOfSchemaNine(db: Dexie): void {
  rowsAreOfSchemaEight(db);
  db.version(12).upgrade(readAllAnew);
}

async function readAllAnew(tx: Transaction): Promise<void> {
  const meta = tx.table<{ key: string; value: unknown }, string>('meta');
  await meta.where('key').startsWithAnyOf('cursor:', 'resynced:').delete();
  await endReadings(tx);
}

/** A reading of another epoch begins anew. */
async function endReadings(tx: Transaction): Promise<void> {
  const meta = tx.table<{ key: string; value: unknown }, string>('meta');
  await meta
    .where('key')
    .startsWith('loading:')
    .modify((row) => {
      row.value = { ...(row.value as object), epoch: '' };
    });
}
