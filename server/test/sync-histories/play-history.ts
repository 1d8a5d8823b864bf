import { expect } from 'vitest';
import { Checksum } from '#shared/sync/checksum.ts';
import { ENTITY_NAMES, type EntityName } from '#shared/sync/entities.ts';
import { scopeKind } from '#shared/contract/scope.ts';
import { SCOPE_ENTITIES } from '#shared/sync/scope-entities.ts';
import { placePrefix, rowsOf } from '#web/replica/store/chunk.ts';
import { listRows } from '#web/replica/store/read-rows.ts';
import { findCursor, findScope } from '#web/replica/store/scope-state.ts';
import { createMemoryStore } from '#web/replica/store/memory-store.fake.ts';
import type { SyncStore } from '#web/replica/store/sync-store.ts';
import { takeLead } from '#web/replica/engine/sync-engine.ts';
import { pullScopes } from '#web/replica/engine/pull-scopes.ts';
import { pushOutbox } from '#web/replica/outbox/push-outbox.ts';
import type { SyncWork } from '#web/replica/network/sync-network.ts';
import { seededRandom } from '../seeded.ts';
import { createDevice, type Device } from './device.ts';
import { type Customer, happen, ownersOf, stir, type World } from './world.ts';

const ROUNDS = 7;
const never = new AbortController().signal;

interface Order {
  orderId: string;
  likes: number;
}

/**
 * One random history: two devices of a customer with the client's own engine, against the real server. In
 * the end both hold what the server has, by its own checksum and row for row, and each order was executed
 * once and paid once, or was refused.
 */
export async function playHistory(
  world: World,
  customer: Customer,
  seed: number,
  /** What happens when the replicas are in line and before they are compared. */
  meddle: () => Promise<void> = async () => undefined,
): Promise<void> {
  const random = seededRandom(seed);
  const { deps } = world.server;
  // A minute further: the limits on orders are by the minute.
  deps.clock.advance(60_000);
  const before = await balanceOf(world, customer);
  const devices = [1, 2].map((nr) =>
    createDevice({
      seed: seed * 2 + nr,
      fetch: customer.fetch,
      newId: () => deps.ids.uuid(),
      startsAtMs: deps.clock.now(),
      tally: world.streams,
    }),
  );
  const orders: Order[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await happen(world, customer, random);
    const device = devices[round % 2 === 0 || random() < 0.3 ? 0 : 1];
    if (!device) continue;
    await act(device, { world, customer, random, orders });
    const dice = random();
    if (dice < 0.6) await device.sync();
    else if (dice < 0.75) await device.syncTwice();
    else await device.follow((heard) => live(world, { customer, random, heard }));
  }
  for (const owner of ownersOf(customer)) world.hidden.delete(owner.scope);
  const works: SyncWork[] = [];
  for (const device of devices) works.push(await settle(device));
  for (const work of works) expect(await pullScopes(work, never)).toEqual({ kind: 'done' });
  await checkOrders(world, customer, { devices, orders, before });
  await meddle();
  await checkReplicas(customer, works);
}

/** What a person does on a device. */
async function act(
  device: Device,
  {
    customer,
    random,
    orders,
    world,
  }: {
    customer: Customer;
    random: () => number;
    orders: Order[];
    world: World;
  },
): Promise<void> {
  const dice = random();
  if (dice < 0.5) {
    const orderId = world.server.deps.ids.uuid();
    const likes = random() < 0.15 ? 900_000 : 10 + Math.floor(random() * 90);
    const { igId } = customer;
    const args = { orderId, igId, postId: '101', shortCode: 'C101', likes };
    // A crash while it is queued means that it never was.
    if (await device.queue('orderLikes', args)) orders.push({ orderId, likes });
  } else if (dice < 0.65) {
    await device.queue('setPreferences', { density: random() < 0.5 ? 'compact' : 'comfortable' });
  } else if (dice < 0.8) {
    await device.queue('switchAccount', { accountId: random() < 0.8 ? customer.accountId : null });
  }
}

/** Changes one after the other, with time for the stream to bring them. */
async function live(
  world: World,
  {
    customer,
    random,
    heard,
  }: { customer: Customer; random: () => number; heard: () => Promise<void> },
): Promise<void> {
  for (let changes = 0; changes < 4; changes += 1) {
    const event = heard();
    if (random() < 0.5) await happen(world, customer, random);
    await stir(world, customer, random);
    // Now and then two changes come together.
    if (changes === 3 || random() < 0.7) await event;
  }
}

async function settle(device: Device): Promise<SyncWork> {
  const work = await device.calm();
  expect(await pullScopes(work, never)).toEqual({ kind: 'done' });
  expect(await pushOutbox(work, never)).toEqual({ kind: 'done' });
  expect(await pullScopes(work, never)).toEqual({ kind: 'done' });
  return work;
}

async function balanceOf({ server }: World, { workspaceId }: Customer): Promise<number> {
  const { balance } = await server.deps.database.db
    .selectFrom('credit_balance')
    .select('balance')
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirstOrThrow();
  return balance;
}

async function checkOrders(
  world: World,
  customer: Customer,
  {
    devices,
    orders,
    before,
  }: { devices: readonly Device[]; orders: readonly Order[]; before: number },
): Promise<void> {
  const left = await Promise.all(devices.map(({ store }) => store.read((tx) => tx.listOutbox())));
  const failed = new Set(
    left.flat().flatMap(({ state, args }) => (state.kind === 'failed' ? [args['orderId']] : [])),
  );
  expect(left.flat().filter(({ state }) => state.kind !== 'failed')).toEqual([]);
  const made = await world.server.deps.database.db
    .selectFrom('like_order')
    .select('id')
    .where('workspace_id', '=', customer.workspaceId)
    .where('id', 'in', [
      '00000000-0000-7000-8000-000000000000',
      ...orders.map(({ orderId }) => orderId),
    ])
    .execute();
  const held = new Set(made.map(({ id }) => id));
  const paid = orders.filter(({ orderId }) => held.has(orderId));
  expect(paid.filter(({ orderId }) => failed.has(orderId))).toEqual([]);
  const known = orders.filter(({ orderId }) => held.has(orderId) || failed.has(orderId));
  expect(known, 'an order was lost').toEqual(orders);
  expect(before - (await balanceOf(world, customer))).toBe(
    paid.reduce((sum, { likes }) => sum + likes, 0),
  );
}

/** By the server's checksum, and row for row against a replica that was only just made. */
async function checkReplicas(customer: Customer, works: readonly SyncWork[]): Promise<void> {
  const [first] = works;
  if (!first) return;
  const fresh = { ...first, store: await takeLead(createMemoryStore()) };
  expect(await pullScopes(fresh, never)).toEqual({ kind: 'done' });
  const whole = await allRows(fresh.store);
  for (const work of works) {
    for (const { scope } of ownersOf(customer)) {
      const request = await summed(work.store, scope);
      expect(await work.network.verify(request, never)).toEqual({
        kind: 'ok',
        value: { status: 'same' },
      });
    }
    expect(await allRows(work.store)).toEqual(whole);
  }
}

async function summed(store: SyncStore, scope: ReturnType<typeof ownersOf>[number]['scope']) {
  return store.read(async (tx) => {
    const state = await findScope(tx, scope);
    const entities: Partial<Record<EntityName, { count: number; sum: string }>> = {};
    for (const entity of SCOPE_ENTITIES[scopeKind(scope)]) {
      const prefix = placePrefix({ scope, entity, generation: state?.generation ?? 0 });
      const chunks = await tx.getChunks(await tx.chunkKeys(prefix));
      const sum = new Checksum();
      const rows = chunks.flatMap((chunk) => rowsOf(entity, chunk));
      for (const { id, v } of rows) sum.add(entity, id, v);
      entities[entity] = { count: rows.length, sum: sum.toString() };
    }
    const v = (await findCursor(tx, scope)) ?? 0;
    return { clientId: '01890000-0000-7000-8000-00000000c11e', scope, v, entities };
  });
}

async function allRows(store: SyncStore): Promise<string[]> {
  const texts: string[] = [];
  for (const entity of ENTITY_NAMES) {
    const rows = await store.read((tx) => listRows(tx, entity));
    texts.push(...rows.map((row) => `${entity} ${JSON.stringify(row)}`).sort());
  }
  return texts;
}
