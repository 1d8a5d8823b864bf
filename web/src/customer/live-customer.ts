import * as v from 'valibot';
import {
  type ConnectedAccount,
  withoutMoney,
} from '#shared/contract/accounts/connected-account.ts';
import type { User } from '#shared/contract/people/user.ts';
import { canSpendCredits } from '#shared/domain/money/credit-packages.ts';
import type { Platform } from '#shared/platform.ts';
import {
  activeAccountOf,
  type ClientState,
  type ClientStateStore,
  EMPTY_CLIENT_STATE,
  KeptUser,
  stateWithUser,
} from '#web/platform/client-state.ts';
import { withinTime } from '#web/platform/async.ts';
import { keepSame } from '#web/platform/keep-same.ts';
import type { Services } from '#web/platform/services.ts';
import {
  type CustomerQuery,
  type CustomerRows,
  type LocalCustomer,
  watchCustomer,
} from '#web/replica/queries/watch-customer.ts';
import { isBehind, keepAnswered } from '#web/replica/store/answered.ts';
import { createDexieStore, type LocalDatabase } from '#web/replica/store/local-database.ts';
import { userMay } from './rights/user-may.ts';

interface Shown extends Pick<Services, 'state' | 'markers'> {
  platform: Pick<Platform, 'now' | 'report'>;
}

/**
 * The one writer of the customer on the client. What pages show is the client state (S§3), and that is written
 * from the replica alone: from its rows, or from the server's answer that the replica keeps until its rows have
 * reached the answer's versions. A log-in begins it, before a replica is open.
 *
 *   kept ──first reading──> rows <──── the rows reach the versions ────┐
 *     │  what the last page left: the first paint needs no network     │
 *     └──a log-in, or a replica that holds nothing──> answered <─ keepAnswer
 *
 *   offline, worker dead   rows stay as they are; an answer stays until somebody syncs, also through a reload
 *   another tab            reads the same replica, so it shows the same answer; the account it shows is its own
 *   no room, or stuck      an answer is held in memory and shown all the same, until this page is left
 *   signed out             `stop`: nothing is written any more
 *   another user           nothing is written, from the moment their log-in has replaced the session's markers
 *
 * Invariants: what was paid never shows as unpaid afterwards; rows of somebody else are never shown; one reading
 * is told at a time, so an older one never follows a newer one.
 */
export class LiveCustomer {
  readonly #shown: Shown;
  readonly #db: LocalDatabase;
  readonly #userId: string;
  #query: CustomerQuery | undefined;
  /** The last answer, until it is shown from the replica: for good where there is no room. */
  #unkept: User | undefined;
  /** The username of the account to be shown as soon as the customer has it. */
  #wanted: string | undefined;
  /** Until all accounts are here, or one was picked: the page follows what was shown last, on any device. */
  #isStarting = true;

  constructor(shown: Shown, db: LocalDatabase, userId: string) {
    [this.#shown, this.#db, this.#userId] = [shown, db, userId];
    const { state } = shown;
    if (ofUser(state.getState(), userId) !== state.getState()) state.setState(EMPTY_CLIENT_STATE);
  }

  /** Follows the replica; returns how to stop. */
  start(): () => void {
    const query = watchCustomer(this.#db, {
      unkept: () => this.#unkept,
      onCustomer: (customer) => this.#show(customer),
      onError: (error) => {
        this.#shown.platform.report('The customer could not be read', error);
      },
    });
    this.#query = query;
    return () => {
      this.#query = undefined;
      query.stop();
    };
  }

  /**
   * Shows the customer as the server answered, from the replica; resolves when they are shown. Never rejects.
   * @param show the username of the account to go on with
   */
  async keepAnswer(user: User, show?: string): Promise<void> {
    this.#wanted = show ?? this.#wanted;
    if (this.#unkept && isBehind(user.versions, this.#unkept.versions)) return;
    this.#unkept = user;
    await withinTime(this.#keep(user), KEEPING_MS, undefined);
    this.#showUnkept();
    // The rows may have had the answer before it came.
    const { connectedAccounts } = this.#shown.state.getState();
    const account = connectedAccounts.find(({ igUsername }) => igUsername === this.#wanted);
    if (account) this.showAccount(account);
  }

  async #keep(user: User): Promise<void> {
    try {
      await createDexieStore(this.#db).write((tx) => keepAnswered(tx, user));
      await this.#query?.flush();
      if (this.#unkept === user) this.#unkept = undefined;
    } catch (error) {
      if (this.#query) this.#shown.platform.report('An answer could not be kept', error);
    }
  }

  /** Shows another account on this page. */
  showAccount(account: ConnectedAccount): void {
    [this.#wanted, this.#isStarting] = [undefined, false];
    this.#shown.state.setState({ activeAccount: activeAccountOf(account) });
  }

  #showUnkept(): void {
    const answered = this.#unkept;
    const isOld = isBehind(answered?.versions, this.#shown.state.getState().user?.versions);
    if (!answered || !this.#query || isOld) return;
    this.#show({ answered, rows: undefined, lastShown: undefined });
  }

  #show(local: LocalCustomer): void {
    const { state, markers, platform } = this.#shown;
    if (markers.userId() !== this.#userId) return;
    const before = ofUser(state.getState(), this.#userId);
    const user = userOf(local, before.user, platform.now());
    const next = user ? stateWithUser(before, user) : before;
    const asked = next.connectedAccounts.find(({ igUsername }) => igUsername === this.#wanted);
    if (asked) [this.#wanted, this.#isStarting] = [undefined, false];
    const last = this.#isStarting ? preferredAccount(next, local.lastShown) : undefined;
    const activeAccount = asked ? activeAccountOf(asked) : (last ?? next.activeAccount);
    this.#isStarting &&= local.rows === undefined;
    if (user) markers.remember(user);
    const shown = keepSame(state.getState(), { ...next, activeAccount });
    if (shown !== state.getState()) state.setState(shown);
  }
}

/** Shows whoever has just logged in, until their replica is opened; nothing of anybody else. */
export function beginCustomer(state: ClientStateStore, user: User): void {
  state.setState(stateWithUser(ofUser(state.getState(), user.id), user));
}

/** A replica that takes longer is stuck, and what was paid is shown without it. */
const KEEPING_MS = 2000;

/** What another one left is nothing to begin with. */
const ofUser = (state: ClientState, userId: string): ClientState =>
  state.user === null || state.user.id === userId ? state : EMPTY_CLIENT_STATE;

/** The account that was shown last, on whichever device, where nothing else was chosen here than the default one. */
function preferredAccount(
  { activeAccount, user }: Pick<ClientState, 'activeAccount' | 'user'>,
  lastShown: LocalCustomer['lastShown'],
): ClientState['activeAccount'] | undefined {
  const shown = activeAccount?.activeusername;
  if (!lastShown || shown === undefined) return undefined;
  const isFree = shown === user?.defaultIgUsername || shown === lastShown.igUsername;
  return isFree ? activeAccountOf(lastShown) : undefined;
}

/** Undefined: all that is known is the account that was shown last. */
function userOf(
  { answered, rows }: LocalCustomer,
  before: User | null,
  nowMs: number,
): User | undefined {
  if (rows) return userOfRows(rows, before, nowMs);
  const read = v.safeParse(KeptUser, answered);
  return read.success ? read.output : undefined;
}

/** The customer as S§3 describes them; what the rows don't say stays as it was. */
function userOfRows(
  { user, wallet, accounts, transactions }: CustomerRows,
  before: User | null,
  nowMs: number,
): User {
  const main = accounts.find(({ accountId }) => accountId === user.defaultAccountId);
  const seesMoney = userMay(user, 'readMoney');
  const shown = accounts.map((account) => accountOfRow(account, nowMs, seesMoney));
  const kept = seesMoney ? before : undefined;
  const credits = wallet?.credits ?? kept?.credits ?? 0;
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    phone: user.phone,
    timeZone: user.timeZone,
    createdAt: before?.createdAt ?? new Date(0).toISOString(),
    credits,
    canSpendCredits: wallet
      ? canSpendCredits(wallet.lockedBonus)
      : (kept?.canSpendCredits ?? false),
    inSubscription: user.inSubscription,
    defaultIgUsername: main?.igUsername ?? '',
    defaultIgId: main?.igId ?? '',
    profilePic: main?.profilePic ?? '',
    package: user.package,
    connectedAccounts: shown,
    billingInfo: wallet ? wallet.billingInfo : (kept?.billingInfo ?? null),
    creditsTransactions: transactions,
    ...(user.membership && { membership: user.membership }),
    isDemoData: user.isDemoData,
  };
}

/** As they are shown: of a row that hasn’t changed it is the same object, of thousands most. */
const shownAccounts = new WeakMap<object, ConnectedAccount>();
const overAccounts = new WeakMap<object, ConnectedAccount>();
const moneylessAccounts = new WeakMap<object, ConnectedAccount>();
const waitingAccounts = new WeakMap<object, ConnectedAccount>();

/**
 * What was possible until a moment that has passed is over; and the rows of all accounts are the same for every role,
 * with their money.
 */
function accountOfRow(
  row: CustomerRows['accounts'][number],
  nowMs: number,
  seesMoney: boolean,
): ConnectedAccount {
  const { accountId: _, connectedAt: __, ...account } = row;
  if (!seesMoney) {
    const shown = withoutMoney(account, nowMs);
    const kept = shown.postsWait ? waitingAccounts : moneylessAccounts;
    return keptFor(row, kept, () => shown);
  }
  const { moneyBackUntil } = row;
  const isOver = moneyBackUntil !== null && Date.parse(moneyBackUntil) < nowMs;
  if (!isOver) return keptFor(row, shownAccounts, () => account);
  const over = { ...account, moneyBackUntil: null, moneyBackAmount: null };
  return keptFor(row, overAccounts, () => over);
}

function keptFor(
  row: object,
  accounts: WeakMap<object, ConnectedAccount>,
  make: () => ConnectedAccount,
): ConnectedAccount {
  const shown = accounts.get(row) ?? make();
  accounts.set(row, shown);
  return shown;
}
