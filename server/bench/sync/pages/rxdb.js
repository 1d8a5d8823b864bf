import { createRxDatabase } from 'rxdb/plugins/core';
import { replicateRxCollection } from 'rxdb/plugins/replication';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';
import { Subject } from 'rxjs';
import { likesOf, noteSeen, offer } from './page-bench.js';
import { listen, pull, snapshot } from './wire.js';

const ROWS = Number(new URLSearchParams(location.search).get('rows'));
let posts;
let replication;
let stopping;

/** A batch below this size tells RxDB that it has everything. */
const BATCH = 1000;

/** All posts in full batches, and what is left; the place to go on from comes first. */
async function* batches() {
  let rest = [];
  for await (const line of snapshot()) {
    if (line.kind === 'head') yield { epoch: line.epoch, v: line.v };
    else rest.push(...line.rows.map(([key, v, row]) => ['post', key, v, row]));
    while (rest.length >= BATCH) yield rest.splice(0, BATCH);
  }
  yield rest;
}

const documentOf = ([, key, , row]) => ({ ...row, key, _deleted: false });

async function open() {
  const database = await createRxDatabase({ name: 'bench', storage: getRxStorageDexie() });
  const text = { type: 'string' };
  const properties = {
    key: { type: 'string', maxLength: 120 },
    takenAt: { type: 'string', maxLength: 40 },
    id: text,
    caption: text,
  };
  const schema = {
    version: 0,
    primaryKey: 'key',
    type: 'object',
    properties,
    required: ['key', 'takenAt'],
    indexes: ['takenAt'],
    additionalProperties: true,
  };
  ({ post: posts } = await database.addCollections({ post: { schema } }));
  posts.eventBulks$.subscribe(({ events }) => {
    for (const { documentData } of events) noteSeen(likesOf(documentData));
  });
}

async function start() {
  stopping = new AbortController();
  const stream$ = new Subject();
  let loading;
  let loadedFrom;
  const handler = async (checkpoint) => {
    if (checkpoint === undefined) {
      loading = batches();
      loadedFrom = (await loading.next()).value;
    }
    if (loading) {
      const { value: rows } = await loading.next();
      if (rows.length < BATCH) loading = undefined;
      return { documents: rows.map(documentOf), checkpoint: loadedFrom };
    }
    const documents = [];
    let place = checkpoint;
    for (let isMore = true; isMore && documents.length < BATCH;) {
      const page = await pull(place);
      documents.push(...page.rows.map(documentOf));
      ({ place, isMore } = page);
    }
    return { documents, checkpoint: place };
  };
  let epoch;
  await listen(stopping.signal, ({ rows, to }) => {
    const documents = rows.filter(([entity]) => entity === 'post').map(documentOf);
    stream$.next({ documents, checkpoint: { epoch, v: to } });
  });
  epoch = (await pull({ epoch: null, v: 0 })).place.epoch;
  replication = replicateRxCollection({
    collection: posts,
    replicationIdentifier: 'bench',
    live: true,
    pull: { handler, batchSize: BATCH, stream$: stream$.asObservable() },
  });
}

offer({
  firstSync: async () => {
    const startedAt = performance.now();
    await open();
    const first = new Promise((resolve) => {
      const query = posts.find({ selector: {}, sort: [{ takenAt: 'desc' }], limit: 50 });
      const shown = query.$.subscribe((rows) => {
        if (rows.length < 50) return;
        resolve(performance.now() - startedAt);
        setTimeout(() => shown.unsubscribe());
      });
    });
    await start();
    await replication.awaitInSync();
    while ((await posts.count().exec()) < ROWS) await replication.awaitInSync();
    return { firstMs: await first, durableMs: performance.now() - startedAt };
  },
  stop: async () => {
    stopping.abort();
    await replication.cancel();
  },
  resume: start,
  rows: async () =>
    (await posts.find().exec()).map((document) => {
      const row = document.toJSON();
      return { id: row.id, caption: row.caption, likes: likesOf(row) };
    }),
});
