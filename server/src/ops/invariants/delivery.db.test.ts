import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { MediaType } from '#shared/contract/accounts/post.ts';
import { type DeliveryBench, openDeliveryBench } from '#test/delivery/delivery-bench.ts';
import type { LikeOrderRow } from '#server/delivery/orders/like-order.repository.ts';
import type { OrderEventKind } from '#server/kit/db/tables/like-order.table.ts';
import { checkDelivery, type ProviderBookEntry } from './delivery.ts';
import { readProviderBook } from './check-all.ts';

let bench: DeliveryBench;
beforeAll(async () => {
  bench = await openDeliveryBench();
});
afterAll(() => bench.deps.database.close());
beforeEach(() => bench.clear());

/** An order of 20 + 2 likes on a video, delivered by the jobs, and the book that belongs to it. */
async function delivered(): Promise<{ id: string; entry: ProviderBookEntry }> {
  const id = await bench.newOrder({
    kind: 'automatic',
    subscription_id: bench.customer.subscriptionId,
    local_day: '2026-11-20',
    slot: 1,
    ordered: 20,
    bonus: 2,
    views: 22,
  });
  await filmed((await bench.order(id)).post_id, 'VIDEO');
  await bench.place();
  bench.deps.provider.complete(id);
  bench.deps.clock.advance(2000);
  await bench.poll();
  return { id, entry: { ...whole, ref: id } };
}

const whole = {
  result: 'accepted',
  status: 'Completed',
  ordered: 22,
  delivered: 22,
  distinctMembers: 22,
  orderedViews: 22,
  views: 22,
} as const;

async function problems(...book: ProviderBookEntry[]): Promise<string[]> {
  const found = await checkDelivery(bench.deps.database.db, () => Promise.resolve(book));
  expect(found.every(({ invariant }) => invariant === 'I4')).toBe(true);
  return found.map(({ problem }) => problem);
}

const change = (id: string, values: Partial<LikeOrderRow>) =>
  bench.deps.database.db.updateTable('like_order').set(values).where('id', '=', id).execute();

const filmed = (postId: string, media_type: MediaType) =>
  bench.deps.database.db.updateTable('post').set({ media_type }).where('id', '=', postId).execute();

const record = (id: string, kind: OrderEventKind) =>
  bench.deps.database.db
    .insertInto('order_event')
    .values({
      workspace_id: bench.customer.workspaceId,
      order_id: id,
      id: bench.deps.ids.uuid(),
      kind,
      fence: 1,
      at: new Date(bench.deps.clock.now()),
    })
    .execute();

test('a delivered order that agrees with the book is right', async () => {
  const { entry } = await delivered();
  expect(await problems(entry)).toEqual([]);
});

test('so are orders that wait, run, were refused, stopped, or ended short', async () => {
  const waiting = await bench.newOrder({ start_at: new Date(bench.deps.clock.now() + 60_000) });
  const stopped = await bench.newOrder();
  await bench.stop(stopped, 'stopped');
  const refused = await bench.newOrder();
  bench.deps.provider.refuseMedia((await bench.order(refused)).post_id, 'no_members');
  const [running, short] = [await bench.newOrder(), await bench.newOrder()];
  await bench.place();
  bench.deps.provider.advance(running, { status: 'In progress', delivered: 3 });
  bench.deps.provider.advance(short, { status: 'Partial', delivered: 5 });
  bench.deps.clock.advance(2000);
  await bench.poll();
  const likes = { ordered: 20, orderedViews: 0, views: 0 };
  const none = { ...likes, delivered: 0, distinctMembers: 0 };
  const book: ProviderBookEntry[] = [
    { ...none, ref: refused, result: 'refused', status: 'Canceled' },
    { ...whole, ...likes, ref: running, status: 'In progress', delivered: 9, distinctMembers: 9 },
    { ...whole, ...likes, ref: short, status: 'Partial', delivered: 5, distinctMembers: 5 },
  ];
  expect(await problems(...book)).toEqual([]);
  expect((await bench.order(waiting)).state).toBe('Pending');
});

test.each<[string, Partial<ProviderBookEntry>, string[]]>([
  [
    'a like too many',
    { delivered: 23, distinctMembers: 23 },
    ['delivered: 22 here, 23 in the book'],
  ],
  [
    'a like too few',
    { delivered: 21, distinctMembers: 21 },
    ['delivered: 22 here, 21 in the book'],
  ],
  ['a member who liked twice', { distinctMembers: 21 }, ['members: 22 here, 21 in the book']],
  ['an order without its bonus', { ordered: 20 }, ['ordered: 22 here, 20 in the book']],
  ['views that are missing', { views: 0 }, ['views: 22 here, 0 in the book']],
  ['a refusal that was overlooked', { result: 'refused' }, ['is Completed and was refused']],
  [
    'an end that was not',
    { status: 'In progress' },
    ['is Completed here, In progress in the book'],
  ],
])('%s is found', async (_what, planted, expected) => {
  const { entry } = await delivered();
  expect(await problems({ ...entry, ...planted })).toEqual(expected);
});

test('an order the book lacks, and one only the book has, are found', async () => {
  const { entry } = await delivered();
  expect(await problems()).toEqual(['is Completed and not in the book']);
  expect(await problems(entry, { ...entry, ref: 'stranger' })).toEqual([
    'is in the book and not an order',
  ]);
  expect(await problems(entry, entry)).toEqual(['holds 1 refs twice']);
});

test('an effect that happened twice, or not at all, is found', async () => {
  const { id, entry } = await delivered();
  for (const kind of ['placed', 'started', 'finished'] as const) await record(id, kind);
  expect(await problems(entry)).toEqual([
    'was placed 2 and refused 0 times as Completed',
    'started 2 times',
    'finished 2 times',
  ]);
  await bench.deps.database.db.deleteFrom('order_event').execute();
  expect(await problems(entry)).toEqual([
    'was placed 0 and refused 0 times as Completed',
    'started 0 times',
    'finished 0 times',
  ]);
});

test('a finished order that was put back is found', async () => {
  const { id, entry } = await delivered();
  await change(id, { state: 'Processing', next_attempt_at: new Date(bench.deps.clock.now()) });
  expect(await problems(entry)).toEqual(['has a wrong finish', 'finished 1 times']);
});

test('a receipt that does not add up is found', async () => {
  const { id, entry } = await delivered();
  await change(id, { remains: 1 });
  expect(await problems(entry)).toEqual(['delivered 22 + remains 1']);
  await change(id, { remains: 0, state: 'Partial' });
  expect(await problems(entry)).toEqual(['is Partial at 22 of 22']);
});

test('an order that asks for what its post or kind does not allow is found', async () => {
  const { id, entry } = await delivered();
  const { post_id: postId } = await bench.order(id);
  await filmed(postId, 'IMAGE');
  expect(await problems(entry)).toEqual(['asks for 22 views, not 0']);
  await filmed(postId, 'VIDEO');
  await change(id, { ordered: 19, bonus: 3 });
  expect(await problems(entry)).toEqual(['has a bonus of 3 on 19']);
  await change(id, { ordered: 21, bonus: 1 });
  expect(await problems(entry)).toEqual(['has a bonus of 1 on 21']);
  const credit = { kind: 'credit', subscription_id: null, local_day: null, slot: null } as const;
  await change(id, { ordered: 20, bonus: 2, ...credit });
  expect(await problems(entry)).toEqual(['has a bonus of 2 on 20']);
});

test('views that ended apart from the likes are found', async () => {
  const { id, entry } = await delivered();
  await change(id, { views_delivered: 21 });
  expect(await problems({ ...entry, views: 21 })).toEqual(['ended at 21 views with 22 likes']);
});

/** What a running product finds, which asks the provider by its protocol; `meanwhile` happens before it is asked. */
async function liveProblems(meanwhile?: () => Promise<unknown>): Promise<string[]> {
  const { database, provider } = bench.deps;
  const readBook = async (refs: readonly string[]) => {
    const book = await readProviderBook(provider)(refs);
    await meanwhile?.();
    return book;
  };
  return (await checkDelivery(database.db, readBook)).map(({ problem }) => problem);
}

test('a running product sees that the provider was asked for another number of likes', async () => {
  const { id } = await delivered();
  expect(await liveProblems()).toEqual([]);
  // As if it had been placed without its bonus, and the receipt says otherwise.
  bench.deps.provider.advance(id, { delivered: 20, remains: 0 });
  expect(await liveProblems()).toEqual([
    'ordered: 22 here, 20 in the book',
    'delivered: 22 here, 20 in the book',
  ]);
});

test('it sees an order taken for refused, news of nobody, and another start', async () => {
  const { id } = await delivered();
  const { startCount, seq } = bench.deps.provider.advance(id, { startCount: 5 });
  expect(startCount).toBe(5);
  await change(id, { start_count: 4, provider_seq: seq + 1 });
  expect(await liveProblems()).toEqual([
    'start: 4 here, 5 in the book',
    `change: ${seq + 1} here, ${seq} in the book`,
  ]);
  await change(id, { start_count: 5, provider_seq: seq });
  await bench.deps.database.db
    .updateTable('order_event')
    .set({ kind: 'refused' })
    .where('order_id', '=', id)
    .where('kind', '=', 'placed')
    .execute();
  expect(await liveProblems()).toEqual(['was refused here and is in the book']);
});

test('an order that goes on while the book is read isn’t ahead of it', async () => {
  const id = await bench.placedOrder();
  const goesOn = async () => {
    bench.deps.provider.advance(id, { status: 'In progress', delivered: 3 });
    bench.deps.clock.advance(2000);
    await bench.poll();
  };
  expect(await liveProblems(goesOn)).toEqual([]);
  expect(await bench.order(id)).toMatchObject({ delivered: 3 });
});
