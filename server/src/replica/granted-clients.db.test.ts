import type { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CALLS } from '#shared/contract/calls.ts';
import { scopeOf } from '#shared/contract/scope.ts';
import { createApp } from '#server/main/app.ts';
import { createMemoryStore, type MemoryStore } from '#web/replica/store/memory-store.fake.ts';
import { createHttpNetwork } from '#web/replica/network/http-network.ts';
import { pullScopes } from '#web/replica/engine/pull-scopes.ts';
import { takeLead } from '#web/replica/engine/sync-engine.ts';
import { listRows } from '#web/replica/store/read-rows.ts';
import { planMany, runMany, startMany } from '#test/delivery/bulk-runs.ts';
import { connectFor, grant, makeClient } from '#test/people/clients.ts';
import { type Customer, registerCustomer } from '#test/people/customers.ts';
import { loggedNow, seenNow } from '#test/people/granted-rows.ts';
import { plantOrder, plantPost } from '#test/delivery/order-fixture.ts';
import { seededRandom } from '#test/seeded.ts';
import { pullFrom } from '#test/calls/sync-client.ts';
import { joinAs } from '#test/people/team.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';

const never = new AbortController().signal;
const STEPS = 40;
/** `HISTORIES=6` for more. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 2);

let deps: TestDeps;
let app: Hono;
beforeAll(async () => {
  deps = await createTestDeps();
  app = createApp(deps);
});
afterAll(() => deps.database.close());

/** The product's own engine on a store in memory, in the name of a member. */
async function deviceOf({ client }: Customer) {
  const store = createMemoryStore();
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input, 'http://localhost:3000');
    return client.send(`${url.pathname}${url.search}`, init);
  };
  const work = {
    store: await takeLead(store),
    network: createHttpNetwork({ baseUrl: '', fetch }),
    now: () => deps.clock.now(),
    newId: () => deps.ids.uuid(),
    report: () => undefined,
  };
  return {
    store,
    catchUp: async () => expect(await pullScopes(work, never)).toEqual({ kind: 'done' }),
  };
}

/** Everything a device holds of accounts, posts and orders, as `entity id` with the row. */
async function heldOn(store: MemoryStore): Promise<Map<string, Record<string, unknown>>> {
  const held = new Map<string, Record<string, unknown>>();
  for (const entity of ['account', 'post', 'order'] as const) {
    for (const row of await store.read((tx) => listRows(tx, entity))) {
      const { accountId, id } = row as { accountId: string; id?: string };
      const key = { account: accountId, post: `${accountId}/${id}`, order: String(id) }[entity];
      held.set(`${entity} ${key}`, row);
    }
  }
  return held;
}

async function house(name: string) {
  const owner = await registerCustomer(app, deps, name);
  const clients = [await makeClient(owner, 'A'), await makeClient(owner, 'B')];
  const accounts: string[] = [];
  for (const at of [0, 1, 2, 3]) {
    accounts.push(await connectFor(deps, owner, `${name}.${at}`, clients[at % 3] ?? null));
  }
  const member = await joinAs(deps, app, owner, `${name}.staff`, 'Editor');
  return { name, owner, clients, accounts, member };
}

type House = Awaited<ReturnType<typeof house>>;

async function plantOn({ owner, accounts }: House, at: number, id: string): Promise<void> {
  const accountId = accounts[at] ?? '';
  const workspaceId = owner.user.membership?.workspaceId ?? '';
  const { ig_id: igId, ig_username: igUsername } = await deps.database.db
    .selectFrom('account')
    .select(['ig_id', 'ig_username'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const planted = {
    accountId,
    workspaceId,
    igUsername,
    igId: igId ?? '',
    userId: '',
    subscriptionId: '',
  };
  await plantPost(deps, planted, { id });
  await plantOrder(deps, planted, {
    post_id: id,
    slot: null,
    kind: 'credit',
    subscription_id: null,
    local_day: null,
    plan_price_cents: null,
    plan_likes: null,
    period_days: null,
  });
}

/** One thing that happens in a house, by chance. */
async function happen(the: House, chance: () => number, step: number): Promise<string> {
  const { name, owner, clients, accounts, member } = the;
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T;
  const { db } = deps.database;
  const accountId = pick(accounts);
  const kind = pick([
    'grant',
    'grant',
    'move',
    'move',
    'many',
    'post',
    'like',
    'remove',
    'both',
  ] as const);
  const some = clients
    .filter(() => chance() < 0.5)
    .map((clientId) => ({ clientId, role: 'Viewer' as const }));
  const move = async (clientId: string | null) => {
    await owner.client.call(CALLS.setClient, {
      userId: owner.user.id,
      igUsernames: [`${name}.${accounts.indexOf(accountId)}`],
      clientId,
    });
  };
  if (kind === 'grant') await grant(owner, member, chance() < 0.2 ? null : some);
  if (kind === 'move') await move(pick([...clients, null]));
  if (kind === 'many') {
    const all = accounts.map((_, nth) => `${name}.${nth}`);
    const change = { kind: 'client', clientId: pick([...clients, null]) } as const;
    await startMany(owner, await planMany(deps, owner, all, change));
    await runMany(deps);
  }
  if (kind === 'post') await plantOn(the, accounts.indexOf(accountId), String(1000 + step));
  if (kind === 'like') {
    await db
      .updateTable('post')
      .set({ like_count: step })
      .where('account_id', '=', accountId)
      .execute();
  }
  if (kind === 'remove') {
    const removed = chance() < 0.5 ? new Date(deps.clock.now()) : null;
    await db
      .updateTable('account')
      .set({ removed_at: removed })
      .where('id', '=', accountId)
      .execute();
  }
  // There and back before anybody looks: put and dropped in one page.
  if (kind === 'both') {
    await move(clients[0] ?? null);
    await grant(
      owner,
      member,
      clients.map((clientId) => ({ clientId, role: 'Viewer' as const })),
    );
    await move(null);
    await grant(owner, member, some);
  }
  return kind;
}

test.each(Array.from({ length: HISTORIES }, (_, nr) => nr + 1))(
  'whatever is granted, moved and taken away (seed %i), devices hold what their member may see',
  async (seed) => {
    const the = await house(`seed${seed}`);
    const { member } = the;
    const chance = seededRandom(seed);
    await grant(the.owner, member, []);
    const [often, rarely] = [await deviceOf(member), await deviceOf(member)];
    const told: string[] = [];
    for (let step = 0; step < STEPS; step += 1) {
      told.push(await happen(the, chance, step));
      const looks = [...(chance() < 0.5 ? [often] : []), ...(chance() < 0.1 ? [rarely] : [])];
      for (const { store, catchUp } of step === STEPS - 1 ? [often, rarely] : looks) {
        await catchUp();
        const { db } = deps.database;
        const { all_clients: hasAll } = await db
          .selectFrom('membership')
          .select('all_clients')
          .where('id', '=', member.user.id)
          .executeTakeFirstOrThrow();
        const held = await heldOn(store);
        const scope = hasAll ? (member.user.membership?.workspaceId ?? '') : member.user.id;
        const wanted = hasAll
          ? await loggedNow(db, scopeOf('w', scope))
          : await seenNow(db, member.user.id);
        expect({ told, held: [...held.keys()].toSorted() }).toEqual({ told, held: wanted });
        await sameAsNow([...held.values()]);
      }
    }
  },
);

/** A post has the likes it has now: nothing was missed while it couldn't be seen. */
async function sameAsNow(rows: ReadonlyArray<Record<string, unknown>>): Promise<void> {
  const posts = await deps.database.db
    .selectFrom('post')
    .select(['account_id', 'id', 'like_count'])
    .execute();
  const likes = new Map(posts.map((post) => [`${post.account_id}/${post.id}`, post.like_count]));
  for (const row of rows.filter((each) => 'mediaType' in each)) {
    const count = likes.get(`${String(row['accountId'])}/${String(row['id'])}`);
    expect(count).toBeDefined();
    expect(row['edge_media_preview_like']).toEqual({ count });
  }
}

test('a client’s name is told with its accounts, and a merger lets the greater right win', async () => {
  const the = await house('merger');
  const { owner, clients, member } = the;
  const [from = '', into = ''] = clients;
  await grant(owner, member, [
    { clientId: from, role: 'Editor' },
    { clientId: into, role: 'Viewer' },
  ]);
  const { store, catchUp } = await deviceOf(member);
  await catchUp();
  const named = async () =>
    Array.from(
      (await heldOn(store)).values(),
      (row) => (row['client'] as { name?: string } | null)?.name,
    );
  expect((await named()).map(String).toSorted()).toEqual(['A', 'A', 'B']);
  const userId = owner.user.id;
  await owner.client.call(CALLS.saveClient, { userId, clientId: into, name: 'Both' });
  await owner.client.call(CALLS.mergeClients, { userId, clientId: from, intoId: into });
  await catchUp();
  expect(await named()).toEqual(['Both', 'Both', 'Both']);
  const me = await member.client.call(CALLS.findUser, { userId: member.user.id });
  expect(me.body.data?.membership?.grants).toEqual([{ clientId: into, role: 'Editor' }]);
});

test('an account whose row is deleted goes from the replicas of those who work for its client', async () => {
  const { owner, clients, member } = await house('deleted');
  await grant(owner, member, [{ clientId: clients[0] ?? '', role: 'Viewer' }]);
  const { store, catchUp } = await deviceOf(member);
  await catchUp();
  deps.network.addAccount('deleted.new');
  // Nothing was ever bought for it, so nothing stays of it under the name typed wrong.
  await owner.client.call(CALLS.updateUsername, {
    userId: owner.user.id,
    oldIgUsername: 'deleted.0',
    igUsername: 'deleted.new',
  });
  await catchUp();
  const held = Array.from((await heldOn(store)).values(), (row) => row['igUsername']);
  expect(held).toContain('deleted.3');
  expect(held).not.toContain('deleted.0');
});

test('sixty clients and more are followed as one', async () => {
  const owner = await registerCustomer(app, deps, 'sixty');
  const member = await joinAs(deps, app, owner, 'sixty.staff', 'Viewer');
  const ids: string[] = [];
  for (let at = 0; at < 70; at += 1) ids.push(await makeClient(owner, `Client ${at}`));
  await grant(
    owner,
    member,
    ids.map((clientId) => ({ clientId, role: 'Viewer' as const })),
  );
  await connectFor(deps, owner, 'sixty.last', ids.at(-1) ?? null);
  const { store, catchUp } = await deviceOf(member);
  await catchUp();
  expect([...(await heldOn(store)).values()]).toMatchObject([{ igUsername: 'sixty.last' }]);
  const { new: scopes } = await pullFrom(member.client, null, {});
  expect(scopes).toHaveLength(2);
});
