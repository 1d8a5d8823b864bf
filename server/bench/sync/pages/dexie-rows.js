import { Dexie } from 'dexie';
import { likesOf, noteSeen, offer } from './page-bench.js';
import { listen, pull, snapshot } from './wire.js';

const db = new Dexie('bench-rows');
db.version(1).stores({ post: 'key,takenAt', meta: 'key' });
let place;
let stopping;

async function keep(rows) {
  await db.post.bulkPut(rows.map(([, key, , row]) => ({ ...row, key })));
  for (const [, , , row] of rows) noteSeen(likesOf(row));
}

async function follow() {
  stopping = new AbortController();
  await listen(stopping.signal, async ({ rows, to }) => {
    await keep(rows.filter(([entity]) => entity === 'post'));
    place = { ...place, v: to };
  });
  for (let isMore = true; isMore;) {
    const page = await pull(place);
    await keep(page.rows);
    place = page.place;
    isMore = page.isMore;
  }
}

offer({
  firstSync: async () => {
    const startedAt = performance.now();
    let firstMs;
    for await (const line of snapshot()) {
      if (line.kind === 'head') place = { epoch: line.epoch, v: line.v };
      else await keep(line.rows.map(([key, v, row]) => ['post', key, v, row]));
      if (firstMs === undefined && line.kind === 'chunk') {
        const shown = await db.post.orderBy('takenAt').reverse().limit(50).toArray();
        if (shown.length >= 50) firstMs = performance.now() - startedAt;
      }
    }
    await follow();
    return { firstMs, durableMs: performance.now() - startedAt };
  },
  stop: async () => stopping.abort(),
  resume: follow,
  rows: async () =>
    (await db.post.toArray()).map((row) => ({
      id: row.id,
      caption: row.caption,
      likes: likesOf(row),
    })),
});
