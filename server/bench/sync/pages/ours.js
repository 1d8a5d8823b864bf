import { createDexieStore, LocalDatabase } from '#web/replica/store/local-database.ts';
import { listRows } from '#web/replica/store/read-rows.ts';
import { follow } from './follow.js';
import { likesOf, noteSeen, offer } from './page-bench.js';

const db = new LocalDatabase('bench');
const plain = createDexieStore(db);
let firstMs;
let startedAt;
let stop;

/** The store as it is, with a note of what each write has put there. */
const store = {
  read: (work) => plain.read(work),
  write: async (work) => {
    const put = [];
    const result = await plain.write(async (tx) =>
      work({
        ...tx,
        putChunks: async (chunks) => {
          for (const { rows } of chunks) {
            for (const row of rows) if (row.edge_media_preview_like) put.push(likesOf(row));
          }
          await tx.putChunks(chunks);
        },
      }),
    );
    for (const likes of put) noteSeen(likes);
    if (firstMs === undefined && put.length > 0) {
      const shown = await plain.read((tx) => listRows(tx, 'post', { limit: 50 }));
      if (shown.length >= 50) firstMs = performance.now() - startedAt;
    }
    return result;
  },
};

const start = () =>
  new Promise((resolve) => {
    stop = follow(store, resolve);
  });

offer({
  firstSync: async () => {
    startedAt = performance.now();
    await start();
    return { firstMs, durableMs: performance.now() - startedAt };
  },
  stop: () => stop(),
  resume: start,
  rows: async () => {
    const rows = await plain.read((tx) => listRows(tx, 'post'));
    return rows.map((row) => ({ id: row.id, caption: row.caption, likes: likesOf(row) }));
  },
});
