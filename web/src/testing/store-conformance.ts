import { applyRows, joinSmallChunks, type RowChange } from '#web/replica/store/apply-rows.ts';
import type { Chunk, Place, Row } from '#web/replica/store/chunk.ts';
import { accountKey } from '#web/replica/store/entity-shape.ts';
import type { OutboxItem } from '#web/replica/store/outbox-item.ts';
import { findPostRow, findRow, listRows } from '#web/replica/store/read-rows.ts';
import { putScope } from '#web/replica/store/scope-state.ts';
import type { SyncStore } from '#web/replica/store/sync-store.ts';
import { seededRandom } from './seeded-random.ts';

/** What every `SyncStore` promises. Runs where no test framework is, so a broken promise throws. */
interface ConformanceCase {
  name: string;
  run: (store: SyncStore) => Promise<void>;
}

function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a === b) return;
  const text = a ?? '';
  const letters = Array.from({ length: text.length }, (_, index) => index);
  const at = Math.max(0, letters.findIndex((index) => text[index] !== b?.[index]) - 60);
  const near = (whole: string | undefined): string => (whole ?? 'undefined').slice(at, at + 200);
  throw new Error(`${what}, from character ${at}: expected ${near(b)}, got ${near(a)}`);
}

const chunk = (k: string, ids: string[], acc: string[]): Chunk => ({
  k,
  ids,
  acc,
  v: ids.map(() => 1),
  rows: ids.map((id) => ({ id })),
});

const item = (id: string, state: OutboxItem['state']): OutboxItem => ({
  id,
  name: 'orderLikes',
  v: 1,
  args: {},
  title: 'Likes',
  madeAt: 0,
  state,
});

const place: Place = { scope: 'w:one', entity: 'post', generation: 1 };

export const STORE_CONFORMANCE: ConformanceCase[] = [
  {
    name: 'what one transaction wrote, the next one reads',
    run: async (store) => {
      await store.write(async (tx) => {
        await tx.putMeta('a:1', { deep: [1] });
        await tx.putMeta('a:2', 2);
        await tx.putMeta('b:1', 3);
      });
      const entries = await store.read((tx) => tx.listMeta('a:'));
      same(
        entries,
        [
          ['a:1', { deep: [1] }],
          ['a:2', 2],
        ],
        'entries by key',
      );
      await store.write((tx) => tx.deleteMeta('a:1'));
      same(await store.read((tx) => tx.getMeta('a:1')), undefined, 'a deleted entry');
    },
  },
  {
    name: 'a transaction that breaks leaves nothing behind',
    run: async (store) => {
      await store.write((tx) => tx.putMeta('kept', 1));
      const broken = store.write(async (tx) => {
        await tx.putMeta('kept', 2);
        await tx.putChunks([chunk('w|post|1|x', ['post:1'], [])]);
        throw new Error('on purpose');
      });
      same(
        await broken.then(
          () => 'done',
          () => 'broken',
        ),
        'broken',
        'the transaction',
      );
      same(await store.read((tx) => tx.getMeta('kept')), 1, 'the entry');
      same(await store.read((tx) => tx.chunkKeys('')), [], 'the chunks');
    },
  },
  {
    name: 'two transactions that count up both count',
    run: async (store) => {
      const count = (): Promise<void> =>
        store.write(async (tx) =>
          tx.putMeta('count', Number((await tx.getMeta('count')) ?? 0) + 1),
        );
      await Promise.all([count(), count(), count()]);
      same(await store.read((tx) => tx.getMeta('count')), 3, 'the count');
    },
  },
  {
    name: 'chunks are found by their keys, their ids and what they are found by',
    run: async (store) => {
      await store.write((tx) =>
        tx.putChunks([
          chunk('w|post|1|b', ['post:1/x', 'post:2/x'], ['post@1']),
          chunk('w|post|1|a', ['post:3/x'], ['post@1', 'post@2']),
          chunk('w|post|2|a', ['post:3/x'], ['post@2']),
        ]),
      );
      await store.read(async (tx) => {
        same(await tx.chunkKeys('w|post|1|'), ['w|post|1|a', 'w|post|1|b'], 'by prefix');
        const ofIds = await tx.chunkKeysOfIds(['post:3/x', 'post:1/x', 'post:2/x', 'post:9/x']);
        same(ofIds, ['w|post|1|a', 'w|post|1|b', 'w|post|2|a'], 'by ids');
        same(await tx.chunkKeysOfIdPrefix('post:2/'), ['w|post|1|b'], 'by the start of an id');
        same(await tx.chunkKeysFoundBy('post@1'), ['w|post|1|a', 'w|post|1|b'], 'by account');
        const found = await tx.getChunks(['w|post|1|b', 'gone', 'w|post|1|a']);
        same(
          found.map(({ k }) => k),
          ['w|post|1|b', 'w|post|1|a'],
          'in the order asked for',
        );
      });
      await store.write(async (tx) => {
        await tx.deleteChunks(['w|post|1|b']);
        await tx.deleteChunksFrom('w|post|2|');
      });
      same(await store.read((tx) => tx.chunkKeys('')), ['w|post|1|a'], 'what is left');
    },
  },
  {
    name: 'outbox items stand in the order of their making, patches go with their item',
    run: async (store) => {
      await store.write(async (tx) => {
        await tx.putOutboxItem(item('2', { kind: 'queued' }));
        await tx.putOutboxItem(item('1', { kind: 'sending', mid: 1 }));
        const change = { kind: 'set', fields: { likes: 1 } } as const;
        await tx.putPatches([
          { itemId: '2', entity: 'post', id: 'a', change },
          { itemId: '1', entity: 'post', id: 'a', change },
          { itemId: '1', entity: 'wallet', id: 'w', change },
        ]);
      });
      await store.write((tx) => tx.deletePatchesOf('1'));
      await store.read(async (tx) => {
        same(
          (await tx.listOutbox()).map(({ id }) => id),
          ['1', '2'],
          'the items',
        );
        same(
          (await tx.listPatches('post')).map(({ itemId }) => itemId),
          ['2'],
          'the patches',
        );
        same(await tx.listPatches('wallet'), [], 'the patches of the other entity');
      });
      await store.write((tx) => tx.deleteOutboxItem('1'));
      same(await store.read((tx) => tx.getOutboxItem('1')), undefined, 'the deleted item');
    },
  },
  {
    name: 'a transaction stays open over waiting for nothing, and over operations with nothing to do',
    run: async (store) => {
      await store.write(async (tx) => {
        for (let turn = 0; turn < 300; turn += 1) await (async () => turn)();
        await tx.putMeta('waited', 1);
        same(await tx.getChunks([]), [], 'no chunks');
        same(await tx.chunkKeysOfIds([]), [], 'no ids');
        await tx.putChunks([]);
        await tx.deleteChunks([]);
        await tx.putPatches([]);
        await Promise.all([tx.putMeta('a', 1), (async () => 1)(), tx.putMeta('b', 2)]);
        await tx.putMeta('waited', 2);
      });
      const entries = await store.read((tx) => tx.listMeta(''));
      same(
        entries,
        [
          ['a', 1],
          ['b', 2],
          ['waited', 2],
        ],
        'everything it wrote',
      );
    },
  },
  {
    name: 'an operation belongs to its transaction, also where another one is asked for meanwhile',
    run: async (store) => {
      await store.write(async (tx) => {
        await tx.putMeta('outer', 1);
        void store.write((other) => other.putMeta('other', 1));
        await tx.putMeta('outer', 2);
      });
      same(await store.read((tx) => tx.getMeta('outer')), 2, 'the entry of the first');
      same(await store.read((tx) => tx.getMeta('other')), 1, 'the entry of the other');
    },
  },
  {
    name: 'rows in chunks read as the rows that were written, whatever came in which order',
    run: (store) => compareWithModel(store, 7),
  },
];

const START_MS = Date.parse('2026-01-01T00:00:00Z');

/** Random changes against a plain map; also reads windows, and joins chunks now and then. */
export async function compareWithModel(store: SyncStore, seed: number, rounds = 12): Promise<void> {
  const random = seededRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const model = new Map<string, { v: number; row: Row | null }>();
  await store.write((tx) =>
    putScope(tx, { scope: place.scope, generation: 1, complete: ['post'], loading: null }),
  );
  for (let round = 1; round <= rounds; round += 1) {
    const changes: RowChange[] = Array.from({ length: 1 + below(80) }, () => {
      const postId = String(below(150));
      const igId = String(Number(postId) % 3);
      const v = Math.max(1, round * 100 - below(150));
      const takenAt = new Date(START_MS + below(40) * 1000).toISOString();
      return {
        id: `acc${igId}/${postId}`,
        v,
        row: random() < 0.2 ? null : { id: postId, igId, takenAt, v, listPosition: 0 },
      };
    });
    await store.write((tx) => applyRows(tx, place, changes));
    for (const [id, { v, row }] of newestOf(changes)) {
      const before = model.get(id);
      // A removal leaves no version behind, so only what is held can be too new for a change.
      if (!before?.row || before.v <= v) model.set(id, { v, row });
    }
    if (round % 4 === 0) await store.write((tx) => joinSmallChunks(tx, place));
    await compare(store, model, below(40));
  }
}

function newestOf(changes: readonly RowChange[]): Map<string, RowChange> {
  const inOrder = [...changes].sort((a, b) => a.v - b.v);
  return new Map(inOrder.map((change) => [change.id, change]));
}

async function compare(
  store: SyncStore,
  model: ReadonlyMap<string, { v: number; row: Row | null }>,
  limit: number,
): Promise<void> {
  const expected = [...model]
    .flatMap(([id, { row }]) => (row ? [{ id, row }] : []))
    .filter(({ row }) => row['igId'] === '1')
    .sort((a, b) => order(b) - order(a) || (a.id < b.id ? 1 : -1))
    .map(({ row }) => row);
  const foundBy = accountKey('post', '1');
  const all = await store.read((tx) => listRows(tx, 'post', { foundBy }));
  same(all, expected, 'the rows of an account');
  const some = await store.read((tx) => listRows(tx, 'post', { foundBy, limit }));
  same(some, expected.slice(0, limit), 'a window of the rows');
  const middle = expected[Math.floor(expected.length / 2)];
  if (!middle) return;
  const before = String(middle['takenAt']);
  const older = await store.read((tx) => listRows(tx, 'post', { foundBy, limit, before }));
  same(
    older,
    expected.filter((row) => String(row['takenAt']) < before).slice(0, limit),
    'a window of older rows',
  );
  const since = await store.read((tx) => listRows(tx, 'post', { foundBy, from: before }));
  same(
    since,
    expected.filter((row) => String(row['takenAt']) >= before),
    'a window of newer rows',
  );
  const found = await store.read((tx) => findRow(tx, 'post', `acc1/${String(middle['id'])}`));
  same(found, middle, 'a row by its id');
  same(await store.read((tx) => findPostRow(tx, String(middle['id']))), middle, 'a post');
}

const order = ({ row }: { row: Row }): number => Date.parse(String(row['takenAt']));
