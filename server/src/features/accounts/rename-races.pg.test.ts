import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { createNode, newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { describePlayed, playAllOrders, type Race } from '#test/interleaving/play-all-orders.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { Detector } from '../detection/detector.ts';
import { updateUsername } from './update-username.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

const BEGIN = '2027-01-01T12:00:00Z';

/** The network's allowance, which is another test's. */
const COUNTERS = ['graph_bucket', 'remembered_profile', 'rate_limit'];

interface Scene {
  shopper: Shopper;
  oldName: string;
  newName: string;
  /** Appears right before the race, under the name of the time. */
  postId: string;
}

/** One look of a worker: claim, reading, storing. */
async function look(node: Deps): Promise<void> {
  const detector = new Detector(node);
  await detector.round(new AbortController().signal);
  await detector.settled();
}

const lookOn = (database: Database): Promise<void> => look({ ...deps, database });

function renameOn(database: Database, { shopper, oldName, newName }: Scene): Promise<void> {
  const { workspaceId, userId } = shopper.session;
  return updateUsername(
    { ...deps, database },
    { workspaceId, userId, address: '', oldIgUsername: oldName, igUsername: newName },
  );
}

/** A paid account, alone in being due. */
async function paidAccount(name: string): Promise<Shopper> {
  const { db } = deps.database;
  await db.updateTable('account_watch').set({ is_active: false }).execute();
  deps.clock.set(BEGIN);
  const shopper = await newShopper(deps, name);
  const told = await createNode(deps)(shopper, `pay-${name}`);
  expect(told.kind).toBe('paid');
  deps.clock.advance(60_000);
  return shopper;
}

/** Where the subscription, its reservations, its accounts and its orders have ended up. */
async function state({ shopper }: Scene) {
  const { workspaceId } = shopper.session;
  const { db } = deps.database;
  const of = (table: 'account' | 'account_watch' | 'subscription' | 'like_order' | 'post') =>
    db.selectFrom(table).selectAll().where('workspace_id', '=', workspaceId);
  const [subscription] = await of('subscription').execute();
  const reservations = await db
    .selectFrom('network_subscription')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .execute();
  return {
    subscription,
    reservations,
    accounts: await of('account').execute(),
    watches: await of('account_watch').execute(),
    orders: await of('like_order').execute(),
    posts: await of('post').execute(),
  };
}

/** What was missed comes with the next look. */
async function nextLook(): Promise<void> {
  deps.clock.advance(60_000);
  await look(deps);
}

const renameRace = (prefix: string): Race<Scene> => ({
  scene: async (played) => {
    const [oldName, newName] = [`${prefix}${played}`, `${prefix}${played}.new`];
    const shopper = await paidAccount(oldName);
    const { id: postId } = deps.network.addPost(oldName);
    deps.network.rename(oldName, newName);
    return { shopper, oldName, newName, postId };
  },
  sides: [lookOn, renameOn],
  counters: COUNTERS,
  check: async (scene) => {
    // What a look under the old name brings after the rename is out of date.
    expect((await state(scene)).accounts).toMatchObject([{ problem: null }]);
    await nextLook();
    const { accounts, watches, orders, subscription, reservations } = await state(scene);
    expect(accounts).toMatchObject([{ ig_username: scene.newName, problem: null }]);
    expect(watches).toMatchObject([{ ig_username: scene.newName, is_active: true }]);
    expect(orders.map(({ post_id: id }) => id)).toEqual([scene.postId]);
    expect(subscription?.ig_id).toBe(accounts[0]?.ig_id);
    expect(reservations.map(({ ig_id: id }) => id)).toEqual([subscription?.ig_id]);
  },
});

const moveRace = (prefix: string): Race<Scene> => ({
  scene: async (played) => {
    const [oldName, newName] = [`${prefix}${played}`, `${prefix}${played}.to`];
    const shopper = await paidAccount(oldName);
    const { id: postId } = deps.network.addPost(oldName);
    deps.network.addAccount(newName);
    deps.network.addPost(newName, { takenAtMs: deps.clock.now() - 1000 });
    return { shopper, oldName, newName, postId };
  },
  sides: [lookOn, renameOn],
  counters: COUNTERS,
  check: async (scene) => {
    deps.clock.advance(60_000);
    const fresh = deps.network.addPost(scene.newName);
    await nextLook();
    const { accounts, watches, orders, posts, subscription, reservations } = await state(scene);
    const target = accounts.find(({ ig_username: name }) => name === scene.newName);
    const old = accounts.find(({ ig_username: name }) => name === scene.oldName);
    expect(subscription).toMatchObject({ account_id: target?.id, ig_id: target?.ig_id });
    expect(reservations.map(({ ig_id: id }) => id)).toEqual([target?.ig_id]);
    const active = watches.filter(({ is_active: isActive }) => isActive);
    expect(active).toMatchObject([{ account_id: target?.id, ig_username: scene.newName }]);
    // The post on the old account had its likes if the look came first; it is never the new one's.
    const ofTarget = orders.filter(({ account_id: id }) => id === target?.id);
    expect(ofTarget).toMatchObject([{ post_id: fresh.id, ig_id: target?.ig_id }]);
    const ofOld = orders.filter(({ account_id: id }) => id !== target?.id);
    for (const order of ofOld) {
      expect(order).toMatchObject({
        post_id: scene.postId,
        account_id: old?.id,
        ig_id: old?.ig_id,
      });
    }
    expect(ofOld.length).toBeLessThanOrEqual(1);
    const strays = posts.filter(
      (post) => post.account_id === target?.id && post.id === scene.postId,
    );
    expect(strays).toEqual([]);
  },
});

/** The planted bug: whether a look is overtaken is read, not held, before its trouble is shown. */
const withoutLock = (text: string): string => text.replace('for no key update of w', '');

test('a rename on the network in every order of its statements and a look’s loses and doubles nothing', async () => {
  const played = await playAllOrders(deps.database, renameRace('same'));
  process.stdout.write(describePlayed('look and rename', played));
  expect(played.schedules).toBeGreaterThan(10);
});

test('a move to another account in every such order: no order for what it had, one for what it gets', async () => {
  const played = await playAllOrders(deps.database, moveRace('from'));
  process.stdout.write(describePlayed('look and move', played));
  expect(played.schedules).toBeGreaterThan(10);
});

test('a look that holds nothing while it shows its trouble is caught', async () => {
  const race = { ...renameRace('unheld'), rewriteFirst: withoutLock };
  await expect(playAllOrders(deps.database, race)).rejects.toThrow('After schedule');
});
