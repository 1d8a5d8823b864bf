import { checksumOf, likesOf } from './page-bench.js';
import { snapshot } from './wire.js';

/** The same rows as bare records of 128, from memory: what the disk and the browser cost by themselves. */
const CHUNK = 128;
const TIMES = 40;
let rows = [];

const opened = new Promise((resolve, reject) => {
  const asked = indexedDB.open('bench-floor', 1);
  asked.addEventListener('upgradeneeded', () => asked.result.createObjectStore('chunk'));
  asked.addEventListener('success', () => resolve(asked.result));
  asked.addEventListener('error', () => reject(asked.error));
});

async function put(records) {
  const db = await opened;
  await new Promise((resolve, reject) => {
    const tx = db.transaction('chunk', 'readwrite');
    tx.addEventListener('complete', resolve);
    tx.addEventListener('error', () => reject(tx.error));
    const store = tx.objectStore('chunk');
    for (const [key, value] of records) store.put(value, key);
  });
}

window.bench = {
  firstSync: async () => {
    for await (const line of snapshot()) {
      if (line.kind === 'chunk') rows.push(...line.rows.map(([, , row]) => row));
    }
    const records = [];
    for (let at = 0; at < rows.length; at += CHUNK) {
      records.push([at, rows.slice(at, at + CHUNK)]);
    }
    const startedAt = performance.now();
    await put(records.slice(0, 1));
    const firstMs = performance.now() - startedAt;
    await put(records.slice(1));
    return { firstMs, durableMs: performance.now() - startedAt };
  },
  /** How long a single record takes, again and again. */
  puts: async () => {
    const tookMs = [];
    for (let nr = 0; nr < TIMES; nr += 1) {
      const startedAt = performance.now();
      await put([[0, rows.slice(0, CHUNK)]]);
      tookMs.push(performance.now() - startedAt);
    }
    return tookMs;
  },
  checksum: async () =>
    checksumOf(rows.map((row) => ({ id: row.id, caption: row.caption, likes: likesOf(row) }))),
};
