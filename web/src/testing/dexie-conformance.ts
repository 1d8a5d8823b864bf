import { Dexie, liveQuery } from 'dexie';
import { PICTURE_STORAGE } from '#shared/pictures/picture-storage.conformance.ts';
import { browserPictures } from '#web/replica/pictures/browser-pictures.ts';
import {
  createDexieStore,
  LocalDatabase,
  localDatabaseName,
} from '#web/replica/store/local-database.ts';
import {
  declinedAccountsAreFound,
  oneRecordPerRow,
  rowsAreOfSchemaThree,
  rowsAreOfSchemaTwo,
  rowsOfTheirOwnGo,
} from '#web/replica/store/local-database-versions.ts';
import { PAST_DUE } from '#web/replica/store/entity-shape.ts';
import { packRows } from '#web/replica/store/chunk.ts';
import { listRows } from '#web/replica/store/read-rows.ts';
import { listCursors, listScopes, putScope } from '#web/replica/store/scope-state.ts';
import {
  type Interruption,
  readRound,
  writeRounds,
  writeWholeRound,
} from './interrupted-writes.ts';
import { compareWithModel, STORE_CONFORMANCE } from './store-conformance.ts';

/** Runs every case on IndexedDB; a name to how it ended. */
async function runConformance(): Promise<Record<string, string>> {
  const ended: Record<string, string> = {};
  for (const [index, { name, run }] of STORE_CONFORMANCE.entries()) {
    const db = new LocalDatabase(`conformance-${index}`);
    ended[name] = await run(createDexieStore(db)).then(
      () => 'kept',
      (error: unknown) => String(error),
    );
    await db.delete();
  }
  return ended;
}

/** Random histories with these seeds; answers those that broke. Their lengths differ with the seed. */
async function runHistories(fromSeed: number, toSeed: number): Promise<string[]> {
  const broken: string[] = [];
  for (let seed = fromSeed; seed < toSeed; seed += 1) {
    const db = new LocalDatabase(`history-${seed}`);
    await compareWithModel(createDexieStore(db), seed, 1 + (seed % 5)).catch((error: unknown) =>
      broken.push(`seed ${seed}: ${String(error)}`),
    );
    await db.delete();
  }
  return broken;
}

const INTERRUPTED = 'interrupted';

/** Writes round after round until the page is closed, once called back in the middle of one. */
async function writeUntilClosed(interruption: Interruption): Promise<never> {
  return writeRounds(createDexieStore(new LocalDatabase(INTERRUPTED)), interruption);
}

/** What an interrupted write left behind; then writes one more round to its end. */
async function readInterrupted(): Promise<{
  round: number;
  mixed: Record<string, unknown>;
  next: number;
}> {
  const db = new LocalDatabase(INTERRUPTED);
  const store = createDexieStore(db);
  const read = await readRound(store);
  const next = await writeWholeRound(store);
  db.close();
  return { ...read, next };
}

/**
 * A live query of one transaction with 300 reads one after the other, each inside an async function
 * of its own; answers what it saw before and after another transaction wrote what it read last.
 */
async function watchLongRead(): Promise<unknown[]> {
  const db = new LocalDatabase('watched');
  const store = createDexieStore(db);
  const seen: unknown[] = [];
  const second = Promise.withResolvers<void>();
  const watching = liveQuery(() =>
    store.read(async (tx) => {
      const readOne = async (key: string): Promise<unknown> => tx.getMeta(key);
      for (let turn = 0; turn < 300; turn += 1) await readOne(`key-${turn}`);
      return tx.getMeta('last');
    }),
  ).subscribe((value) => {
    seen.push(value ?? 'nothing');
    if (seen.length === 2) second.resolve();
    else void store.write((tx) => tx.putMeta('last', 'written'));
  });
  await second.promise;
  watching.unsubscribe();
  await db.delete();
  return seen;
}

/** Opens what the first release left behind; answers what is kept of it and the tables there are. */
async function openFirstRelease(): Promise<{ kept: unknown; tables: string[] }> {
  const first = new Dexie(localDatabaseName('first-release'));
  oneRecordPerRow(first);
  await first.table('meta').put({ key: 'keep-signed-in', value: false });
  first.close();
  const db = new LocalDatabase('first-release');
  const row = await db.meta.get('keep-signed-in');
  const tables = db.tables.map(({ name }) => name).sort();
  await db.delete();
  return { kept: row?.value, tables };
}

/** Opens what the release before the key of declined accounts left behind; answers who is found by it. */
async function openWithoutDeclinedKey(): Promise<unknown[]> {
  const before = new Dexie(localDatabaseName('third-release'));
  rowsOfTheirOwnGo(before);
  const accounts = ['Active', 'Past due'].map((subscriptionState, nth) => ({
    id: `id-${nth}`,
    v: 1,
    row: { accountId: `id-${nth}`, igId: String(nth), subscriptionState },
  }));
  const place = { scope: 'w:one', entity: 'account', generation: 1 };
  const packed = packRows(place, accounts);
  await before.table('chunk').bulkPut(packed.map((chunk) => ({ ...chunk, acc: [] })));
  before.close();
  const db = new LocalDatabase('third-release');
  const found = await createDexieStore(db).write(async (tx) => {
    await putScope(tx, { scope: 'w:one', generation: 1, complete: ['account'], loading: null });
    return listRows(tx, 'account', { foundBy: PAST_DUE });
  });
  await db.delete();
  return found.map(({ accountId }) => accountId);
}

/** The order of a post that a release of sync schema 2 left behind, as it is shown now. */
async function openSchemaTwo(): Promise<unknown> {
  const before = new Dexie(localDatabaseName('schema-two'));
  rowsAreOfSchemaTwo(before);
  const order = { id: 'o', state: 'In progress', target: 50, delivered: 20 };
  const place = { scope: 'w:two', entity: 'post', generation: 1 };
  const post = { id: '7', accountId: 'id-1', takenAt: '2026-11-21T09:10:00.000Z', order };
  await before.table('chunk').bulkPut(packRows(place, [{ id: 'id-1/7', v: 1, row: post }]));
  before.close();
  const db = new LocalDatabase('schema-two');
  const chunks = await db.chunk.toArray();
  await db.delete();
  return chunks.flatMap(({ rows }) => rows.map((row) => row['order']));
}

/** The states of changes that waited when an older release left them, which named a deferral otherwise. */
async function openDeferredBefore(): Promise<unknown[]> {
  const before = new Dexie(localDatabaseName('deferred-before'));
  rowsAreOfSchemaThree(before);
  const putOff = { code: 'overloaded', message: 'Busy.', atMs: 0, dueAtMs: 5000 };
  await before.table('outbox').bulkPut([
    { id: '0', state: { kind: 'queued' } },
    { id: '1', state: { kind: 'sending', mid: 7, putOff } },
  ]);
  before.close();
  const db = new LocalDatabase('deferred-before');
  const items = await createDexieStore(db).read((tx) => tx.listOutbox());
  await db.delete();
  return items.map((one) => one.state);
}

/** The tags of accounts that a release of sync schema 3 left behind, one of them changed by a later server. */
async function openWithoutTags(): Promise<unknown[]> {
  const before = new Dexie(localDatabaseName('without-tags'));
  rowsAreOfSchemaThree(before);
  const place = { scope: 'w:tags', entity: 'account', generation: 1 };
  const rows = [{ accountId: 'id-1' }, { accountId: 'id-2', tags: ['VIP'] }];
  const changes = rows.map((row) => ({ id: row.accountId, v: 1, row }));
  await before.table('chunk').bulkPut(packRows(place, changes));
  before.close();
  const db = new LocalDatabase('without-tags');
  const chunks = await db.chunk.toArray();
  await db.delete();
  return chunks.flatMap((chunk) => chunk.rows.map((row) => row['tags']));
}

/** Entities of the rows and patches that are kept of what a release of sync schema 3 left behind. */
async function openSchemaThree(): Promise<string[]> {
  const before = new Dexie(localDatabaseName('schema-three'));
  rowsAreOfSchemaThree(before);
  for (const entity of ['account', 'deliverySettings']) {
    const place = { scope: 'w:three', entity, generation: 1 };
    await before
      .table('chunk')
      .bulkPut(packRows(place, [{ id: 'id-1', v: 1, row: { accountId: 'id-1', igId: '1' } }]));
    const change = { kind: 'set', fields: {} };
    await before.table('patch').put({ entity, id: 'id-1', itemId: '1', change });
  }
  before.close();
  const db = new LocalDatabase('schema-three');
  const chunks = (await db.chunk.toCollection().primaryKeys()).map((k) => k.split('|')[1] ?? '');
  const patches = (await db.patch.toArray()).map(({ entity }) => entity);
  await db.delete();
  return [...chunks, ...patches];
}

/**
 * Opens what a release of sync schema 1 left behind, with a reading anew half done; answers the accounts that
 * are shown, the cursors, and the epochs of the readings on their way.
 */
async function openSchemaOne(): Promise<Record<string, unknown>> {
  const before = new Dexie(localDatabaseName('schema-one'));
  declinedAccountsAreFound(before);
  const account = {
    accountId: 'id-1',
    igId: '1',
    accountPackageId: 9,
    subscriptionState: 'Active',
  };
  const place = { scope: 'w:one', entity: 'account', generation: 1 };
  await before.table('chunk').bulkPut(packRows(place, [{ id: 'id-1', v: 1, row: account }]));
  const loading = { generation: 2, epoch: 'same', v: 5, done: [], part: null };
  await before.table('meta').bulkPut([
    { key: 'scope:w:one', value: { scope: 'w:one', generation: 1, complete: ['account'] } },
    { key: 'loading:w:one', value: loading },
    { key: 'cursor:w:one', value: 4 },
    { key: 'resynced:w:one', value: Date.now() },
    { key: 'epoch', value: 'same' },
  ]);
  before.close();
  const db = new LocalDatabase('schema-one');
  const left = await createDexieStore(db).read(async (tx) => ({
    accounts: await listRows(tx, 'account'),
    cursors: await listCursors(tx),
    resynced: await tx.listMeta('resynced:'),
    readings: (await listScopes(tx)).map(({ loading: reading }) => reading?.epoch),
    epoch: await tx.getMeta('epoch'),
  }));
  await db.delete();
  return left;
}

/** Runs every case of keeping pictures on Cache Storage; a name to how it ended. */
async function runPictureConformance(): Promise<Record<string, string>> {
  const ended: Record<string, string> = {};
  for (const { name, run } of PICTURE_STORAGE) {
    await browserPictures.clear();
    ended[name] = await run(browserPictures, location.origin).then(
      () => 'kept',
      (error: unknown) => String(error),
    );
  }
  return ended;
}

Object.assign(globalThis, {
  runConformance,
  runPictureConformance,
  runHistories,
  writeUntilClosed,
  readInterrupted,
  watchLongRead,
  openFirstRelease,
  openWithoutDeclinedKey,
  openSchemaOne,
  openSchemaTwo,
  openDeferredBefore,
  openSchemaThree,
  openWithoutTags,
});
