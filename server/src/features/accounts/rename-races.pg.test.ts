import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deps } from '#server/deps.ts';
import { createNode, newShopper, type Shopper } from '#test/checkout-fixture.ts';
import { runWithStop } from '#test/stop-at-statement.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { Detector } from '../detection/detector.ts';
import { updateUsername } from './update-username.service.ts';

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());

const MOST_STATEMENTS = 60;

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

const rename =
  ({ shopper, oldName, newName }: Scene) =>
  (node: Deps): Promise<void> => {
    const { workspaceId, userId } = shopper.session;
    return updateUsername(node, {
      workspaceId,
      userId,
      oldIgUsername: oldName,
      igUsername: newName,
    });
  };

/** A paid account, alone in being due. */
async function paidAccount(name: string): Promise<Shopper> {
  await deps.database.db.updateTable('account_watch').set({ is_active: false }).execute();
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

/** Runs a race at every statement of one side, then of the other. */
async function atEveryStop(
  makeScene: (index: number) => Promise<Scene>,
  check: (scene: Scene) => Promise<void>,
): Promise<number> {
  let races = 0;
  for (const isRenameStopped of [true, false]) {
    for (let stopAfter = 1; stopAfter <= MOST_STATEMENTS; stopAfter += 1) {
      const scene = await makeScene(races);
      const sides = isRenameStopped ? [rename(scene), look] : [look, rename(scene)];
      const [first = look, second = look] = sides;
      const isInside = await runWithStop(deps, stopAfter, first, second);
      races += 1;
      await check(scene);
      if (!isInside) break;
    }
  }
  return races;
}

/** What was missed comes with the next look. */
async function nextLook(): Promise<void> {
  deps.clock.advance(60_000);
  await look(deps);
}

test(
  'a rename on the network, stopped at each of its statements or each of a look’s, loses and doubles nothing',
  { timeout: 120_000 },
  async () => {
    const makeScene = async (index: number): Promise<Scene> => {
      const [oldName, newName] = [`same${index}`, `same${index}.new`];
      const shopper = await paidAccount(oldName);
      const { id: postId } = deps.network.addPost(oldName);
      deps.network.rename(oldName, newName);
      return { shopper, oldName, newName, postId };
    };
    const races = await atEveryStop(makeScene, async (scene) => {
      // What a look under the old name brings after the rename is out of date.
      expect((await state(scene)).accounts).toMatchObject([{ problem: null }]);
      await nextLook();
      const { accounts, watches, orders, subscription, reservations } = await state(scene);
      expect(accounts).toMatchObject([{ ig_username: scene.newName, problem: null }]);
      expect(watches).toMatchObject([{ ig_username: scene.newName, is_active: true }]);
      expect(orders.map(({ post_id: id }) => id)).toEqual([scene.postId]);
      expect(subscription?.ig_id).toBe(accounts[0]?.ig_id);
      expect(reservations.map(({ ig_id: id }) => id)).toEqual([subscription?.ig_id]);
    });
    expect(races).toBeGreaterThan(15);
  },
);

test(
  'a move to another account at each such point: no order for what it had, one for what it gets',
  { timeout: 120_000 },
  async () => {
    const makeScene = async (index: number): Promise<Scene> => {
      const [oldName, newName] = [`from${index}`, `to${index}`];
      const shopper = await paidAccount(oldName);
      const { id: postId } = deps.network.addPost(oldName);
      deps.network.addAccount(newName);
      deps.network.addPost(newName, { takenAtMs: deps.clock.now() - 1000 });
      return { shopper, oldName, newName, postId };
    };
    const races = await atEveryStop(makeScene, async (scene) => {
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
    });
    expect(races).toBeGreaterThan(15);
  },
);
