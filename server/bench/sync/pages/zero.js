import { Zero } from '@rocicorp/zero';
import { MARK, noteSeen, offer } from './page-bench.js';
import { schema, zql } from './zero-schema.js';

const parameters = new URLSearchParams(location.search);
let zero;
let all;

function open() {
  zero = new Zero({ server: parameters.get('zero'), userID: 'bench', schema, kvStore: 'idb' });
  const changed = zero.materialize(zql.post.where('likes', '>=', MARK));
  changed.addListener((rows) => {
    for (const { likes } of rows) noteSeen(likes);
  });
}

const complete = (view, isEnough) =>
  new Promise((resolve) => {
    view.addListener((rows, result) => {
      if (isEnough(rows, result)) resolve();
    });
  });

offer({
  firstSync: async () => {
    const startedAt = performance.now();
    open();
    all = zero.materialize(zql.post.orderBy('takenAt', 'desc'));
    const first = complete(all, (rows) => rows.length >= 50).then(
      () => performance.now() - startedAt,
    );
    await complete(all, (rows, result) => result === 'complete');
    const firstMs = await first;
    return { firstMs, durableMs: performance.now() - startedAt };
  },
  stop: () => zero.close(),
  resume: async () => {
    open();
    all = zero.materialize(zql.post.orderBy('takenAt', 'desc'));
  },
  rows: async () => all.data.map(({ id, caption, likes }) => ({ id, caption, likes })),
});
