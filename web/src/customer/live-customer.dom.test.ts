import { Dexie } from 'dexie';
import { afterEach, expect, test } from 'vitest';
import type { User } from '#shared/contract/people/user.ts';
import { scopeOf } from '#shared/contract/scope.ts';
import {
  activeAccountOf,
  createClientState,
  type ClientState,
} from '#web/platform/client-state.ts';
import { memoryStorage } from '#web/platform/platform-storage.fake.ts';
import { createSessionMarkers } from '#web/platform/session-markers.ts';
import { dropScope } from '#web/replica/engine/pull-scopes.ts';
import { findOpenSession } from '#web/replica/store/open-session.ts';
import { findAnswered, keepLogIn } from '#web/replica/store/answered.ts';
import {
  createDexieStore,
  LocalDatabase,
  localDatabaseName,
  readLocal,
} from '#web/replica/store/local-database.ts';
import { queueChange } from '#web/replica/outbox/outbox.ts';
import { putScope } from '#web/replica/store/scope-state.ts';
import { rememberKeepSignedIn } from '#web/replica/store/session.ts';
import { fillDisk } from '#web/testing/dom/full-disk.ts';
import { accountIdOf, personRow, plantReplica, pull, type Rows } from '#web/testing/dom/replica.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { accountExample, unpaidAccount, userExample } from '#web/testing/examples.ts';
import { beginCustomer, LiveCustomer } from './live-customer.ts';

const FREE = { canSpendCredits: false, inSubscription: false };
const unpaid = userExample({ ...FREE, connectedAccounts: [unpaidAccount()] });
const paid = userExample();
const { id } = unpaid;
const EVE = '0192d3c0-0000-7000-8000-00000000000e';
const [W, B, U] = [scopeOf('w', id), scopeOf('b', id), scopeOf('u', id)] as const;

const opened: Array<() => void> = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) close();
  await Dexie.delete(localDatabaseName(id));
});

/** A page of the customer, whose browser keeps this of before. */
async function openTab(kept: User | undefined) {
  const storage = memoryStorage();
  const markers = createSessionMarkers({ storage, onStorageChange: () => () => undefined });
  markers.begin({ id, inSubscription: kept?.inSubscription ?? false });
  const state = createClientState({
    getItem: async () => null,
    setItem: () => undefined,
    removeItem: () => undefined,
  });
  await state.restored;
  if (kept) beginCustomer(state, kept);
  const db = new LocalDatabase(id);
  const reports: string[] = [];
  const platform = { now: () => NOW, report: (event: string) => void reports.push(event) };
  const live = new LiveCustomer({ state, markers, platform }, db, id);
  const plans: boolean[] = [];
  state.subscribe(({ user }) => plans.push(user?.inSubscription ?? false));
  const stop = live.start();
  opened.push(() => {
    stop();
    db.close();
  });
  const shown = (): ClientState => state.getState();
  return { live, db, markers, state, stop, reports, plans, shown };
}

const replicaOf = (user: User, rows: Rows = {}) =>
  plantReplica(user, { wallet: [{ credits: 500, lockedBonus: 500, billingInfo: null }], ...rows });

const accountRow = (user: User) => ({
  ...user.connectedAccounts[0],
  accountId: accountIdOf(0),
  connectedAt: '2026-11-21T09:00:00.000Z',
});

test('before there is a replica, what the last page left stays on the screen', async () => {
  const { db, shown } = await openTab(paid);
  // Begun after the page's own reading, so it ends after it.
  await readLocal(db, (tx) => tx.listOutbox());
  expect(shown().user).toEqual(paid);
});

test('a payment’s answer is shown until the replica has its plan too', async () => {
  await replicaOf(unpaid);
  const { live, db, shown, plans } = await openTab(unpaid);
  await expect.poll(() => shown().user?.versions).toBeUndefined();
  expect(shown().user?.inSubscription).toBe(false);
  await live.keepAnswer(paid);
  const before = plans.length;
  // Other parts of the replica come before that of the plan, twice.
  await pull(db, U, 2, personRow(paid));
  await pull(db, B, 2, { credits: 480, lockedBonus: 0, billingInfo: null });
  expect(await readLocal(db, (tx) => findAnswered(tx))).toBeDefined();
  await pull(db, W, 2, accountRow(paid));
  await expect.poll(() => shown().user?.credits).toBe(480);
  expect(plans.slice(before)).not.toContain(false);
  expect(await db.meta.get('answered')).toBeUndefined();
  // Ended on another device, and the credits are spent.
  await pull(db, B, 3, { credits: 0, lockedBonus: 0, billingInfo: null });
  await pull(db, W, 3, accountRow(unpaid));
  await pull(db, U, 3, personRow(unpaid));
  await expect.poll(() => shown().user?.inSubscription).toBe(false);
});

test('a payment that is answered before the replica was first read is shown too', async () => {
  await replicaOf(unpaid);
  const { live, shown } = await openTab(unpaid);
  await live.keepAnswer(paid);
  expect(shown().user?.inSubscription).toBe(true);
});

test('a plan that ended while the product was closed is not held on to', async () => {
  await replicaOf(unpaid);
  const { shown } = await openTab(paid);
  await expect.poll(() => shown().user?.inSubscription).toBe(false);
});

test('an answer is shown in another tab, after a reload without network, and when a crash left nothing but the replica', async () => {
  await replicaOf(unpaid);
  const tab = await openTab(unpaid);
  const other = await openTab(unpaid);
  await tab.live.keepAnswer(paid);
  await expect.poll(() => other.shown().user?.inSubscription).toBe(true);
  const reloaded = await openTab(unpaid);
  await expect.poll(() => reloaded.shown().user?.inSubscription).toBe(true);
  await rememberKeepSignedIn(tab.db, true);
  expect(await findOpenSession()).toMatchObject({ id, inSubscription: true });
});

test('an answer that is older than what is shown changes nothing', async () => {
  await replicaOf(unpaid);
  const { live, db, shown } = await openTab(unpaid);
  const late = { ...unpaid, name: 'Late', versions: { [W]: 2, [B]: 1, [U]: 2 } };
  await live.keepAnswer(paid);
  await live.keepAnswer(late);
  expect(shown().user).toMatchObject({ inSubscription: true, name: 'Ada' });
  await pull(db, U, 2, personRow(paid));
  await pull(db, B, 2);
  await pull(db, W, 2, accountRow(paid));
  await expect.poll(() => shown().user?.versions).toBeUndefined();
  await live.keepAnswer(late);
  expect(shown().user).toMatchObject({ inSubscription: true, name: 'Ada' });
});

test('credits spent here after an answer are taken off it', async () => {
  await replicaOf(unpaid);
  const { live, db, shown } = await openTab(unpaid);
  await live.keepAnswer(paid);
  await createDexieStore(db).write(async (tx) => {
    const item = { id: 'order', name: 'orderLikes', v: 1, args: {}, title: '', madeAt: NOW };
    const change = { kind: 'add' as const, fields: { credits: -30 } };
    await queueChange(tx, item, [{ entity: 'wallet', id, change }]);
  });
  await expect.poll(() => shown().user?.credits).toBe(paid.credits - 30);
});

test('an answer for which there is no room is shown all the same', async () => {
  await replicaOf(unpaid);
  const { live, shown, reports } = await openTab(unpaid);
  fillDisk();
  await live.keepAnswer(paid);
  expect(shown().user?.inSubscription).toBe(true);
  expect(reports).toEqual(['An answer could not be kept']);
});

test('while the replica is stuck, an answer is shown from memory', async () => {
  await replicaOf(unpaid);
  const { live, db, shown } = await openTab(unpaid);
  const stuck = { isOver: false };
  const holding = db.transaction('rw', db.tables, async (tx) => {
    while (!stuck.isOver) await tx.table('meta').get('nothing');
  });
  await live.keepAnswer(paid);
  expect(shown().user?.inSubscription).toBe(true);
  stuck.isOver = true;
  await holding;
  await pull(db, U, 2, personRow(paid));
  expect(shown().user?.inSubscription).toBe(true);
});

test('versions of a scope that is gone are not waited for', async () => {
  await replicaOf(unpaid);
  const { live, db, shown } = await openTab(unpaid);
  await live.keepAnswer(paid);
  await createDexieStore(db).write((tx) => dropScope(tx, B));
  await expect.poll(() => shown().user?.versions).toBeUndefined();
});

test('a log-in is shown until all accounts are here, though the posts still come', async () => {
  const all = [accountExample(), accountExample({ igUsername: 'ada.writes', igId: '2' })];
  const { db, shown } = await openTab(paid);
  await createDexieStore(db).write((tx) => keepLogIn(tx, paid));
  await expect.poll(() => shown().user?.versions).toBeDefined();
  await replicaOf({ ...paid, connectedAccounts: all });
  const loading = { generation: 1, epoch: 'e', v: 2, done: ['account'], part: null };
  await createDexieStore(db).write(async (tx) => {
    await tx.deleteMeta(`cursor:${W}`);
    await putScope(tx, { scope: W, generation: 1, complete: ['account'], loading });
  });
  for (const scope of [U, B]) await pull(db, scope, 2);
  await expect.poll(() => shown().connectedAccounts).toHaveLength(2);
});

test('a log-in that leaves accounts out takes none away that are here', async () => {
  await replicaOf(paid);
  const { db, shown } = await openTab(paid);
  await createDexieStore(db).write((tx) => keepLogIn(tx, { ...paid, connectedAccounts: [] }));
  await expect.poll(() => shown().user?.versions).toBeUndefined();
  expect(shown().connectedAccounts).toHaveLength(1);
});

test('once somebody else has logged in, or the page was left, nothing is written', async () => {
  await replicaOf(paid);
  const { live, db, markers, shown, stop } = await openTab(paid);
  await expect.poll(() => shown().user?.versions).toBeUndefined();
  markers.begin({ id: EVE, inSubscription: false });
  await live.keepAnswer({ ...paid, name: 'Nobody' });
  expect(shown().user?.name).toBe('Ada');
  expect(markers.userId()).toBe(EVE);
  markers.begin({ id, inSubscription: true });
  stop();
  await pull(db, B, 9, { credits: 1, lockedBonus: 0, billingInfo: null });
  await live.keepAnswer({ ...paid, name: 'Nobody' });
  expect(shown().user).toMatchObject({ name: 'Ada', credits: 500 });
});

test('what is kept of somebody else is never shown', async () => {
  const { shown } = await openTab(userExample({ id: EVE }));
  expect(shown()).toMatchObject({ user: null, activeAccount: null, connectedAccounts: [] });
});

const THREE = ['ada.paints', 'ada.writes', 'ada.sings'].map((igUsername, nth) =>
  accountExample({ igUsername, igId: String(nth) }),
);
const three = userExample({ connectedAccounts: THREE, defaultIgUsername: 'ada.paints' });

/** A page on a device whose replica says which of the three accounts was shown last, on any device. */
async function openThree(lastShown: number | null, active = 0) {
  const activeAccountId = lastShown === null ? null : accountIdOf(lastShown);
  const { name, email, phone, timeZone } = three;
  const preferences = { density: 'comfortable' as const, activeAccountId, pinnedAccountIds: [] };
  const person = { id, name, email, phone, timeZone, preferences };
  const rest = { package: 1, inSubscription: true, defaultAccountId: accountIdOf(0) };
  const tab = openTab(three);
  const { state } = await tab;
  const account = THREE[active];
  if (account) state.setState({ activeAccount: activeAccountOf(account) });
  await replicaOf(three, { user: [{ ...person, ...rest, isDemoData: true }] });
  await expect.poll(() => state.getState().user?.isDemoData).toBe(true);
  return tab;
}

test('a new device shows the account that was shown last on another', async () => {
  const { shown } = await openThree(1);
  expect(shown().activeAccount?.activeusername).toBe('ada.writes');
});

test('an account chosen on this device stays, and so does the default where none was chosen', async () => {
  for (const [lastShown, active] of [
    [1, 2],
    [null, 0],
    [7, 0],
  ] as const) {
    const { shown, stop } = await openThree(lastShown, active);
    expect(shown().activeAccount?.activeusername).toBe(THREE[active]?.igUsername);
    stop();
    await Dexie.delete(localDatabaseName(id));
  }
});

test('a device in use is not moved away by another one', async () => {
  const { live, db, shown } = await openThree(null);
  const [, , sings] = THREE;
  if (sings) live.showAccount(sings);
  await pull(db, B, 2, { credits: 7, lockedBonus: 0, billingInfo: null });
  await expect.poll(() => shown().user?.credits).toBe(7);
  expect(shown().activeAccount?.activeusername).toBe('ada.sings');
});

test('the account an answer is about is shown next, also when the rows were ahead of it', async () => {
  const { live, shown } = await openThree(null);
  await live.keepAnswer({ ...three, versions: {} }, 'ada.writes');
  expect(shown().activeAccount?.activeusername).toBe('ada.writes');
  const renamed = THREE.map((each, nth) =>
    nth === 1 ? { ...each, igUsername: 'ada.acts' } : each,
  );
  await live.keepAnswer({ ...three, connectedAccounts: renamed }, 'ada.acts');
  expect(shown().activeAccount?.activeusername).toBe('ada.acts');
});
