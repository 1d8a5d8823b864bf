import * as v from 'valibot';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { persist, type PersistOptions } from 'zustand/middleware';
import { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { User } from '#shared/contract/people/user.ts';
import { RESTORE_TIMEOUT_MS } from '#shared/domain/timings.ts';
import { withinTime } from './async.ts';

/** The account whose posts are shown (S§3; spellings as there). */
const ActiveAccount = v.object({
  activeusername: v.string(),
  activeIgId: v.string(),
  profilePic: v.string(),
});
type ActiveAccount = v.InferOutput<typeof ActiveAccount>;

/** What was kept before the server told something has neutral values in its place until it does. */
const KeptAccount = v.object({
  ...ConnectedAccount.entries,
  nextPackageId: v.optional(ConnectedAccount.entries.nextPackageId, null),
  nextPackageFrom: v.optional(ConnectedAccount.entries.nextPackageFrom, null),
  endsAt: v.optional(ConnectedAccount.entries.endsAt, null),
  resumesAt: v.optional(ConnectedAccount.entries.resumesAt, null),
  moneyBackUntil: v.optional(ConnectedAccount.entries.moneyBackUntil, null),
  moneyBackAmount: v.optional(ConnectedAccount.entries.moneyBackAmount, null),
  moneyBackState: v.optional(ConnectedAccount.entries.moneyBackState, null),
  shiftDays: v.optional(ConnectedAccount.entries.shiftDays, 0),
  shiftReason: v.optional(ConnectedAccount.entries.shiftReason, null),
  delivery: v.optional(ConnectedAccount.entries.delivery, {
    automaticLikes: true,
    speed: 'Instant',
    range: null,
  }),
  tags: v.optional(ConnectedAccount.entries.tags, []),
});
/** The customer as a device keeps them. */
export const KeptUser = v.object({
  ...User.entries,
  isDemoData: v.optional(User.entries.isDemoData, false),
  timeZone: v.optional(User.entries.timeZone, 'UTC'),
  createdAt: v.optional(User.entries.createdAt, '1970-01-01T00:00:00.000Z'),
  canSpendCredits: v.optional(User.entries.canSpendCredits, false),
  connectedAccounts: v.array(KeptAccount),
});

/** The four parts of S§3. Everything else about posts and orders lives in the replica. */
const ClientState = v.object({
  user: v.nullable(KeptUser),
  activeAccount: v.nullable(ActiveAccount),
  connectedAccounts: v.array(KeptAccount),
  /** The account a dialog is about. */
  modalAccount: v.nullable(KeptAccount),
});
export type ClientState = v.InferOutput<typeof ClientState>;

export const EMPTY_CLIENT_STATE: ClientState = {
  user: null,
  activeAccount: null,
  connectedAccounts: [],
  modalAccount: null,
};

/** Where the state is kept; reading may take its time, or never end. */
export interface StateStorage {
  getItem(key: string): Promise<string | null>;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

export type ClientStateStore = StoreApi<ClientState> & {
  /** Resolves when the state is restored, or given up after the time-out and empty. */
  restored: Promise<void>;
  /** Empties the state and leaves nothing of it behind. */
  forget: () => void;
};

const STORAGE_KEY = 'ovation-client-state';
const VERSION = 1;

/** The persisted state under its one key. What can't be read, or has another form, starts empty. */
export function createClientState(
  storage: StateStorage,
  restoreTimeoutMs = RESTORE_TIMEOUT_MS,
): ClientStateStore {
  const options: PersistOptions<ClientState> = {
    name: STORAGE_KEY,
    version: VERSION,
    skipHydration: true,
    storage: {
      getItem: async (key) => {
        const reading = storage.getItem(key).catch(() => null);
        const text = await withinTime(reading, restoreTimeoutMs, null);
        return { state: readState(text), version: VERSION };
      },
      setItem: (key, { state, version }) => {
        storage.setItem(key, JSON.stringify({ state: keptState(state), version }));
      },
      removeItem: (key) => storage.removeItem(key),
    },
  };
  const store = createStore<ClientState>()(persist(() => EMPTY_CLIENT_STATE, options));
  const restored = Promise.resolve(store.persist.rehydrate());
  const forget = (): void => {
    store.setState(EMPTY_CLIENT_STATE);
    store.persist.clearStorage();
  };
  return Object.assign(store, { restored, forget });
}

/** So many accounts are kept, twice: 5,000 are 4 MB of text, and come with the replica anyway. */
export const KEPT_ACCOUNTS = 100;

/** What stands there at once after a start: the first accounts, and the one that is shown. */
function keptState(state: ClientState): ClientState {
  const { user, activeAccount, connectedAccounts } = state;
  if (connectedAccounts.length <= KEPT_ACCOUNTS) return state;
  const wanted = [activeAccount?.activeusername, user?.defaultIgUsername];
  const kept = connectedAccounts.filter(
    ({ igUsername }, index) => index < KEPT_ACCOUNTS || wanted.includes(igUsername),
  );
  return { ...state, connectedAccounts: kept, user: user && { ...user, connectedAccounts: kept } };
}

function readState(text: string | null): ClientState {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    const read = v.safeParse(v.object({ state: ClientState }), stored);
    return read.success ? read.output.state : EMPTY_CLIENT_STATE;
  } catch {
    return EMPTY_CLIENT_STATE;
  }
}

/** The state after the server sent a user: the active account stays when it still belongs to them. */
export function stateWithUser(state: ClientState, user: User): ClientState {
  return withAccounts({ ...state, user }, user.connectedAccounts);
}

/** The state after the server sent the connected accounts. */
export function withAccounts(state: ClientState, accounts: ConnectedAccount[]): ClientState {
  const wanted = state.activeAccount?.activeusername ?? state.user?.defaultIgUsername;
  const active = accounts.find((account) => account.igUsername === wanted) ?? accounts[0];
  return {
    ...state,
    connectedAccounts: accounts,
    activeAccount: active ? activeAccountOf(active) : null,
  };
}

export function activeAccountOf(account: ConnectedAccount): ActiveAccount {
  return {
    activeusername: account.igUsername,
    activeIgId: account.igId,
    profilePic: account.profilePic,
  };
}
