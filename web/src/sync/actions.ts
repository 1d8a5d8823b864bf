import type { DeliverySettings } from '#shared/contract/account-changes.ts';
import { MUTATION_VERSION } from '#shared/sync/mutations.ts';
import { releaseChanges } from '../local-db/held-changes.ts';
import type { OutboxItem } from '../local-db/outbox-item.ts';
import { discardChange, endUndo, queueChange, retryChange } from '../local-db/outbox.ts';
import { listPinned } from '../local-db/pinned-accounts.ts';
import type { StoreWriter, SyncStore } from '../local-db/sync-store.ts';
import { type Action, actionOf, replaces } from './action.ts';
import { findAccountId, patchesOf } from './action-patches.ts';
import {
  type UndoableOrders,
  queueUndoable,
  type Refused,
  refuseBeyondCredits,
  takeBack,
} from './undoable-orders.ts';
import { isReachable } from './is-reachable.ts';
import { type LikesWish, likesTitle } from './likes-wish.ts';
import type { Sleep } from './sleep.ts';
import { sortingId } from './sorting-id.ts';
import type { SyncService } from './sync-service.ts';

/** How a change ended as far as is known now. */
export type ActionOutcome =
  | { kind: 'done' }
  /** It waits here and is sent as soon as that is possible; `reason`: why, though the server is there. */
  | { kind: 'queued'; reason?: string }
  /** The server said no: nothing was done. */
  | Refused;

export interface ActionDeps {
  store: SyncStore;
  /** Calls back with an outbox item now and whenever it changes; returns how to stop. */
  watchItem(id: string, listener: (item: OutboxItem | undefined) => void): () => void;
  sync: Pick<SyncService, 'wake' | 'status' | 'subscribe'>;
  sleep: Sleep;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** A new random UUID. */
  newId: () => string;
}

/**
 * What can be done without network. Each call writes the change and what it shows at once in one
 * transaction, then waits for the server's answer while the server is there. A storage that can't be
 * written to rejects.
 */
export interface Actions {
  orderLikes(wish: LikesWish): Promise<ActionOutcome>;
  /** Orders for many posts, all or none: they can be undone for a time, and are sent after it. */
  orderManyLikes(wishes: readonly LikesWish[]): Promise<UndoableOrders>;
  /** Takes back what isn't sent yet, all or nothing; false when some of it is on its way or gone. */
  undo(itemIds: readonly string[]): Promise<boolean>;
  saveDelivery(
    account: { igId: string; igUsername: string },
    settings: DeliverySettings,
  ): Promise<ActionOutcome>;
  switchAccount(account: { igId: string; igUsername: string }): Promise<ActionOutcome>;
  /** Keeps an account's posts and pictures on this person's devices for when there is no network, or no more. */
  pinAccount(account: { igId: string }, isPinned: boolean): Promise<ActionOutcome>;
  /** Whether an email tells this person when likes are done. */
  setLikesDoneMail(isOn: boolean): Promise<ActionOutcome>;
  /**
   * Sends a refused change again, checked anew; refused again it stays in the list. An order for which even the
   * credits shown here are too few isn't queued while nobody can be asked.
   */
  retry(itemId: string): Promise<ActionOutcome>;
  /** Forgets a change; false when it is on its way to the server, or gone. */
  discard(itemId: string): Promise<boolean>;
  /** Sends what waits, also what was held; false when something still waits, because the server can't be reached. */
  sendAll(): Promise<boolean>;
  /** Whether somebody is waiting for this change's answer, and will be told by it. */
  isAttended(itemId: string): boolean;
}

/** An answer takes well under a second; who waits longer has no network worth the name. */
const ANSWER_MS = 8000;
const SILENT = 'The server hasn’t answered yet.';

export function createActions(deps: ActionDeps): Actions {
  const { store } = deps;
  const attended = new Set<string>();

  const attend = async (id: string): Promise<ActionOutcome> => {
    attended.add(id);
    try {
      return await answerTo(deps, id);
    } finally {
      attended.delete(id);
    }
  };

  const perform = async (
    id: string,
    title: string,
    make: (tx: StoreWriter) => Promise<Action | undefined>,
  ): Promise<ActionOutcome> => {
    const isQueued = await store.write(async (tx) => {
      const action = await make(tx);
      if (action) await queueAction(tx, { id, title, madeAt: deps.now() }, action);
      return action !== undefined;
    });
    if (!isQueued) return { kind: 'done' };
    const outcome = await attend(id);
    // Whoever asked is told now, so it need not wait in the list for somebody to read it.
    if (outcome.kind === 'refused') await store.write((tx) => discardChange(tx, id));
    return outcome;
  };
  const newItemId = (): string => sortingId(deps.now(), deps.newId());

  return {
    orderLikes: (wish) => {
      const { igId, postId, shortCode, likes } = wish;
      const orderId = newItemId();
      const args = { orderId, igId, postId, shortCode, likes };
      return perform(orderId, likesTitle(wish), async () => ({ name: 'orderLikes', args }));
    },
    orderManyLikes: (wishes) => orderMany(deps, wishes, newItemId),
    undo: (itemIds) => store.write((tx) => takeBack(tx, itemIds)),
    saveDelivery: ({ igId, igUsername }, settings) =>
      perform(newItemId(), `Delivery settings for @${igUsername}`, async () => ({
        name: 'saveDeliverySettings',
        args: { igId, settings },
      })),
    switchAccount: ({ igId, igUsername }) =>
      perform(newItemId(), `Switch to @${igUsername}`, async (tx) => {
        const accountId = await findAccountId(tx, igId);
        return accountId === undefined ? undefined : { name: 'switchAccount', args: { accountId } };
      }),
    pinAccount: ({ igId }, isPinned) =>
      perform(newItemId(), 'Accounts kept offline', (tx) => pinAction(tx, igId, isPinned)),
    setLikesDoneMail: (isOn) =>
      perform(newItemId(), 'Email when likes are done', async () => likesDoneAction(isOn)),
    retry: async (itemId) => {
      const queued = await queueAgain(deps, itemId);
      if (typeof queued === 'object') return queued;
      return queued ? attend(itemId) : { kind: 'done' };
    },
    discard: (itemId) => store.write((tx) => discardOne(tx, itemId)),
    sendAll: () => sendAll(deps),
    isAttended: (itemId) => attended.has(itemId),
  };
}

async function orderMany(
  { store, sync, now }: ActionDeps,
  wishes: readonly LikesWish[],
  newItemId: () => string,
): Promise<UndoableOrders> {
  const orders = wishes.map((wish) => ({ wish, id: newItemId() }));
  const ordered = await store.write((tx) => queueUndoable(tx, orders, now()));
  // The engine learns when they are due.
  sync.wake();
  return ordered;
}

/** Whether a refused change waits again; or why it can't. */
function queueAgain({ store, sync }: ActionDeps, itemId: string): Promise<boolean | ActionOutcome> {
  const isAway = !isReachable(sync.status());
  return store.write(async (tx) => {
    const item = await tx.getOutboxItem(itemId);
    const action = item && actionOf(item);
    const tooFew = isAway && action && (await creditsTooFew(tx, action));
    return tooFew || retryChange(tx, itemId, action ? await patchesOf(tx, action) : []);
  });
}

async function creditsTooFew(tx: StoreWriter, action: Action): Promise<Refused | undefined> {
  return action.name === 'orderLikes' ? refuseBeyondCredits(tx, action.args.likes) : undefined;
}

const likesDoneAction = (likesDoneMail: boolean): Action => ({
  name: 'setPreferences',
  args: { likesDoneMail },
});

async function pinAction(
  tx: StoreWriter,
  igId: string,
  isPinned: boolean,
): Promise<Action | undefined> {
  const accountId = await findAccountId(tx, igId);
  if (accountId === undefined) return undefined;
  const pinned = (await listPinned(tx)).map((account) => account.accountId);
  const others = pinned.filter((id) => id !== accountId);
  const pinnedAccountIds = isPinned ? [...others, accountId] : others;
  return { name: 'setPreferences', args: { pinnedAccountIds } };
}

/** With the last of the changes that were held nothing is held any more. */
async function discardOne(tx: StoreWriter, itemId: string): Promise<boolean> {
  const isGone = await discardChange(tx, itemId);
  if ((await tx.listOutbox()).length === 0) await releaseChanges(tx);
  return isGone;
}

async function sendAll(deps: ActionDeps): Promise<boolean> {
  // Whoever asks for it gives up undoing, and asks for a new attempt, though the last one may just have failed.
  await deps.store.write(async (tx) => {
    await endUndo(tx);
    await releaseChanges(tx);
  });
  deps.sync.wake();
  await untilReachable(deps);
  const items = await deps.store.read((tx) => tx.listOutbox());
  const waiting = items.filter(({ state }) => state.kind === 'queued' || state.kind === 'sending');
  const outcomes = await Promise.all(waiting.map(({ id }) => answerTo(deps, id)));
  return outcomes.every(({ kind }) => kind !== 'queued');
}

/** So long an attempt may take to find the server. */
const FOUND_MS = 4000;

async function untilReachable({ sync, sleep }: ActionDeps): Promise<void> {
  if (isReachable(sync.status())) return;
  const found = new AbortController();
  const stop = sync.subscribe(() => {
    if (isReachable(sync.status())) found.abort();
  });
  await sleep(FOUND_MS, found.signal);
  stop();
}

/** Queues a change with what it shows; earlier ones that it makes needless, and that were not sent, go. */
async function queueAction(
  tx: StoreWriter,
  item: Pick<OutboxItem, 'id' | 'title' | 'madeAt'>,
  action: Action,
): Promise<void> {
  for (const earlier of await tx.listOutbox()) {
    const known = actionOf(earlier);
    if (known && replaces(action, known)) await discardChange(tx, earlier.id);
  }
  const { name, args } = action;
  await queueChange(tx, { ...item, name, args, v: MUTATION_VERSION }, await patchesOf(tx, action));
}

/** The answer to a queued change; `queued` as soon as none is to be expected soon. */
async function answerTo(deps: ActionDeps, id: string): Promise<ActionOutcome> {
  const { sync } = deps;
  sync.wake();
  if (!isReachable(sync.status())) return { kind: 'queued' };
  const answered = Promise.withResolvers<ActionOutcome>();
  const ended = new AbortController();
  const stopItem = deps.watchItem(id, (item) => {
    const outcome = outcomeOf(item);
    if (outcome) answered.resolve(outcome);
  });
  const stopStatus = sync.subscribe(() => {
    if (!isReachable(sync.status())) answered.resolve({ kind: 'queued' });
  });
  void deps
    .sleep(ANSWER_MS, ended.signal)
    .then(() => answered.resolve({ kind: 'queued', reason: SILENT }));
  try {
    return await answered.promise;
  } finally {
    stopItem();
    stopStatus();
    ended.abort();
  }
}

function outcomeOf(item: OutboxItem | undefined): ActionOutcome | undefined {
  // Done changes leave as soon as the copy holds what they changed.
  if (!item) return { kind: 'done' };
  switch (item.state.kind) {
    case 'queued':
    case 'sending':
      return item.state.putOff && { kind: 'queued', reason: item.state.putOff.message };
    case 'accepted':
      return { kind: 'done' };
    case 'failed':
      return { kind: 'refused', code: item.state.code, message: item.state.message };
    default:
      return item.state satisfies never;
  }
}
