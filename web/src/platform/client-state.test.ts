import { expect, test } from 'vitest';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { accountExample, userExample } from '#web/testing/examples.ts';
import {
  activeAccountOf,
  createClientState,
  EMPTY_CLIENT_STATE,
  stateWithUser,
  withAccounts,
  type StateStorage,
} from './client-state.ts';

function memoryStorage(
  texts = new Map<string, string>(),
): StateStorage & { texts: Map<string, string> } {
  return {
    texts,
    getItem: async (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value),
    removeItem: (key) => void texts.delete(key),
  };
}

const active = (account: ConnectedAccount | undefined) =>
  account ? activeAccountOf(account) : null;

function without(whole: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(whole).filter(([name]) => !names.includes(name)));
}

// Shows fact 3.16.
test('what one start keeps, the next one restores from a single key', async () => {
  const storage = memoryStorage();
  const first = createClientState(storage);
  await first.restored;
  first.setState(stateWithUser(first.getState(), userExample({ name: 'Ada' })));

  const second = createClientState(storage);
  await second.restored;
  expect(storage.texts.size).toBe(1);
  expect(second.getState().user?.name).toBe('Ada');
  expect(second.getState().activeAccount?.activeusername).toBe('ada.paints');
});

// Shows fact 3.17.
test('a storage that never answers is given up and the state starts empty', async () => {
  const silent: StateStorage = { ...memoryStorage(), getItem: () => new Promise(() => undefined) };
  const store = createClientState(silent, 5);
  await store.restored;
  expect(store.getState()).toEqual(EMPTY_CLIENT_STATE);
});

test.each([
  ['no JSON', '{oh'],
  ['another form', JSON.stringify({ state: { user: { id: 3 } }, version: 1 })],
])('a kept state that is %s starts empty', async (_what, text) => {
  const storage = memoryStorage(new Map([['ovation-client-state', text]]));
  const store = createClientState(storage);
  await store.restored;
  expect(store.getState()).toEqual(EMPTY_CLIENT_STATE);
});

test('a user kept before the demo flag existed is restored as one without demo data', async () => {
  const { isDemoData: _, ...older } = userExample({ isDemoData: true });
  const state = { ...EMPTY_CLIENT_STATE, user: older };
  const text = JSON.stringify({ state, version: 1 });
  const store = createClientState(memoryStorage(new Map([['ovation-client-state', text]])));
  await store.restored;
  expect(store.getState().user).toEqual({ ...older, isDemoData: false });
});

test('a state kept before accounts told their pauses and settings is restored with neutral ones', async () => {
  const account = without(accountExample(), [
    'nextPackageId',
    'nextPackageFrom',
    'endsAt',
    'resumesAt',
    'moneyBackUntil',
    'moneyBackAmount',
    'moneyBackState',
    'shiftDays',
    'shiftReason',
    'delivery',
  ]);
  const user = without(userExample(), ['timeZone', 'createdAt', 'canSpendCredits']);
  const state = {
    user: { ...user, connectedAccounts: [account] },
    activeAccount: null,
    connectedAccounts: [account],
    modalAccount: account,
  };
  const text = JSON.stringify({ state, version: 1 });
  const store = createClientState(memoryStorage(new Map([['ovation-client-state', text]])));
  await store.restored;
  const restored = accountExample({ moneyBackUntil: null, moneyBackAmount: null });
  expect(store.getState()).toMatchObject({
    user: { timeZone: 'UTC', connectedAccounts: [restored] },
    connectedAccounts: [restored],
    modalAccount: restored,
  });
});

test('of thousands of accounts the first hundred, the default and the active one are kept as text', async () => {
  const name = (nth: number): string => `account.${String(nth)}`;
  const all = Array.from({ length: 5000 }, (_, nth) =>
    accountExample({ igUsername: name(nth), igId: String(nth) }),
  );
  const storage = memoryStorage();
  const first = createClientState(storage);
  await first.restored;
  const user = userExample({ connectedAccounts: all, defaultIgUsername: name(4000) });
  first.setState(stateWithUser(first.getState(), user));
  first.setState(withAccounts({ ...first.getState(), activeAccount: active(all[3000]) }, all));
  expect(first.getState().connectedAccounts).toHaveLength(5000);

  const second = createClientState(storage);
  await second.restored;
  const { connectedAccounts, activeAccount, user: restored } = second.getState();
  expect(connectedAccounts).toEqual([...all.slice(0, 100), all[3000], all[4000]]);
  expect(restored?.connectedAccounts).toEqual(connectedAccounts);
  expect(activeAccount?.activeusername).toBe(name(3000));
  expect([...storage.texts.values()].join('').length).toBeLessThan(256 * 1024);
});

// Shows fact 3.04.
test('the active account stays active while it is connected, and falls back to the default', () => {
  const first = accountExample({ igUsername: 'ada.paints', igId: '1' });
  const second = accountExample({ igUsername: 'ada.cooks', igId: '2' });
  const user = userExample({ connectedAccounts: [first, second], defaultIgUsername: 'ada.cooks' });
  const signedIn = stateWithUser(EMPTY_CLIENT_STATE, user);
  expect(signedIn.activeAccount?.activeIgId).toBe('2');

  const names = (accounts: ConnectedAccount[]): string | undefined =>
    withAccounts(signedIn, accounts).activeAccount?.activeusername;
  expect(names([second, first])).toBe('ada.cooks');
  expect(names([first])).toBe('ada.paints');
  expect(names([])).toBeUndefined();
});
