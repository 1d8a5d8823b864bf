import type { AccountView } from '#shared/domain/accounts/account-view.ts';
import type { TagChange } from '#shared/domain/accounts/account-tags.ts';
import type { DeliverySettings } from '#shared/contract/accounts/account-changes.ts';
import type { ParsedMutationArgs } from '#shared/sync/mutations.ts';
import { MUTATION_VERSION } from '#shared/sync/version.ts';
import {
  resumeChanges,
  discardChange,
  endUndo,
  queueChange,
  retryChange,
  type IdSource,
  sortingIds,
} from './outbox.ts';
import type { OutboxItem } from '../store/outbox-item.ts';
import { listPinned } from '../queries/accounts.ts';
import type { StoreWriter, SyncStore } from '../store/sync-store.ts';
import {
  type PendingChange,
  pendingChangeOf,
  replaces,
  inPlaceOf,
  meant,
  findAccountId,
  patchesOf,
} from './pending-change.ts';
import {
  type UndoableOrders,
  queueUndoable,
  type Refused,
  refuseBeyondCredits,
  takeBack,
  type LikesIntent,
  likesTitle,
} from './likes-orders.ts';
import { isReachable } from '../network/sync-status.ts';
import { answerTo, type ChangeOutcome, type OutcomeDeps, outcomeOfAll } from './change-outcome.ts';
import { tagChanges, tagsTitle } from './tag-changes.ts';

interface ChangeDeps extends OutcomeDeps, IdSource {
  store: SyncStore;
}

/**
 * What can be done without network. Each call writes the change and what it shows at once in one
 * transaction, then waits for the server's answer while the server is there. A storage that can't be
 * written to rejects.
 */
export interface Changes {
  orderLikes(intent: LikesIntent): Promise<ChangeOutcome>;
  /** Orders for many posts, all or none: they can be undone for a time, and are sent after it. */
  orderManyLikes(intents: readonly LikesIntent[]): Promise<UndoableOrders>;
  /** Takes back what isn't sent yet, all or nothing; false when some of it is on its way or gone. */
  undo(itemIds: readonly string[]): Promise<boolean>;
  saveDelivery(
    account: { igId: string; igUsername: string },
    settings: DeliverySettings,
    /** As they were when these were chosen; without it whatever is there is replaced. */
    seen?: DeliverySettings,
  ): Promise<ChangeOutcome>;
  /** Gives accounts tags and takes tags from them. What is refused stays in the list of changes. */
  tagAccounts(igUsernames: readonly string[], change: TagChange): Promise<ChangeOutcome>;
  switchAccount(account: { igId: string; igUsername: string }): Promise<ChangeOutcome>;
  /** Keeps an account's posts and pictures on this person's devices for when there is no network, or no more. */
  pinAccount(account: { igId: string }, isPinned: boolean): Promise<ChangeOutcome>;
  /** Whether an email tells this person when likes are done. */
  setLikesDoneMail(isOn: boolean): Promise<ChangeOutcome>;
  /** What this person has read of alerts, doesn't want to hear, and when they are mailed. */
  setAlerts(change: ParsedMutationArgs<'setAlerts'>): Promise<ChangeOutcome>;
  /** Keeps a view of the table of accounts as it is to be; one with an id nobody knows is a new one. */
  saveView(view: AccountView): Promise<ChangeOutcome>;
  removeView(view: Pick<AccountView, 'id' | 'name'>): Promise<ChangeOutcome>;
  /**
   * Sends a refused change again, checked anew; refused again it stays in the list. An order for which even the
   * credits shown here are too few isn't queued while nobody can be asked.
   */
  retry(itemId: string): Promise<ChangeOutcome>;
  /** Forgets a change; false when it is on its way to the server, or gone. */
  discard(itemId: string): Promise<boolean>;
  /** Sends what waits, also what was paused; false when something still waits, because the server can't be reached. */
  sendAll(): Promise<boolean>;
  /** Whether somebody is waiting for this change's answer, and will be told by it. */
  isAttended(itemId: string): boolean;
}

export function createChanges(deps: ChangeDeps): Changes {
  const { store } = deps;
  const attended = new Set<string>();

  const attend = async (id: string): Promise<ChangeOutcome> => {
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
    make: (tx: StoreWriter) => Promise<PendingChange | undefined>,
  ): Promise<ChangeOutcome> => {
    const isQueued = await store.write(async (tx) => {
      const change = await make(tx);
      if (change) await queuePending(tx, { id, title, madeAt: deps.now() }, change);
      return change !== undefined;
    });
    if (!isQueued) return { kind: 'done' };
    const outcome = await attend(id);
    // Whoever asked is told now, so it need not wait in the list for somebody to read it.
    if (outcome.kind === 'refused') await store.write((tx) => discardChange(tx, id));
    return outcome;
  };
  const newItemId = sortingIds(deps);

  return {
    orderLikes: (intent) => {
      const { igId, postId, shortCode, likes } = intent;
      const orderId = newItemId();
      const args = { orderId, igId, postId, shortCode, likes };
      return perform(orderId, likesTitle(intent), async () => ({ name: 'orderLikes', args }));
    },
    orderManyLikes: (intents) => orderMany(deps, intents, newItemId),
    undo: (itemIds) => store.write((tx) => takeBack(tx, itemIds)),
    saveDelivery: ({ igId, igUsername }, settings, seen) =>
      perform(newItemId(), `Delivery settings for @${igUsername}`, async () => ({
        name: 'saveDeliverySettings',
        args: { igId, settings, ...(seen && { seen }) },
      })),
    tagAccounts: (igUsernames, change) => tagAll(deps, { igUsernames, change, newItemId, attend }),
    switchAccount: ({ igId, igUsername }) =>
      perform(newItemId(), `Switch to @${igUsername}`, (tx) => switchChange(tx, igId)),
    pinAccount: ({ igId }, isPinned) =>
      perform(newItemId(), 'Accounts kept offline', (tx) => pinChange(tx, igId, isPinned)),
    setLikesDoneMail: (isOn) =>
      perform(newItemId(), 'Email when likes are done', async () => likesDoneChange(isOn)),
    setAlerts: (args) => perform(newItemId(), 'Alerts', async () => ({ name: 'setAlerts', args })),
    ...viewChanges((title, change) => perform(newItemId(), title, async () => change)),
    retry: (itemId) => retryOne(deps, itemId, attend),
    discard: (itemId) => store.write((tx) => discardOne(tx, itemId)),
    sendAll: () => sendAll(deps),
    isAttended: (itemId) => attended.has(itemId),
  };
}

interface Tagging {
  igUsernames: readonly string[];
  change: TagChange;
  newItemId: () => string;
  attend: (itemId: string) => Promise<ChangeOutcome>;
}

async function tagAll(
  { store, now }: ChangeDeps,
  { igUsernames, change, newItemId, attend }: Tagging,
): Promise<ChangeOutcome> {
  const title = tagsTitle(igUsernames, change);
  const ids = await store.write(async (tx) => {
    const parts = (await tagChanges(tx, igUsernames, change)).map((part) => ({
      part,
      id: newItemId(),
    }));
    for (const { part, id } of parts) await queuePending(tx, { id, title, madeAt: now() }, part);
    return parts.map(({ id }) => id);
  });
  return outcomeOfAll(await Promise.all(ids.map(attend)));
}

async function orderMany(
  { store, sync, now }: ChangeDeps,
  intents: readonly LikesIntent[],
  newItemId: () => string,
): Promise<UndoableOrders> {
  const orders = intents.map((intent) => ({ intent, id: newItemId() }));
  const ordered = await store.write((tx) => queueUndoable(tx, orders, now()));
  // The engine learns when they are due.
  sync.wake();
  return ordered;
}

/** Whether a refused change waits again; or why it can't. */
function requeueRefused(
  { store, sync }: ChangeDeps,
  itemId: string,
): Promise<boolean | ChangeOutcome> {
  const isAway = !isReachable(sync.status());
  return store.write(async (tx) => {
    const item = await tx.getOutboxItem(itemId);
    const change = item && pendingChangeOf(item);
    const tooFew = isAway && change && (await creditsTooFew(tx, change));
    if (tooFew) return tooFew;
    if (change && item.state.kind === 'failed')
      await tx.putOutboxItem({ ...item, args: meant(change).args });
    return retryChange(tx, itemId, change ? await patchesOf(tx, change) : []);
  });
}

async function creditsTooFew(tx: StoreWriter, change: PendingChange): Promise<Refused | undefined> {
  return change.name === 'orderLikes' ? refuseBeyondCredits(tx, change.args.likes) : undefined;
}

const viewChanges = (
  perform: (title: string, change: PendingChange) => Promise<ChangeOutcome>,
): Pick<Changes, 'saveView' | 'removeView'> => ({
  saveView: ({ id: viewId, ...view }) =>
    perform(`View “${view.name}”`, { name: 'saveView', args: { viewId, ...view } }),
  removeView: ({ id: viewId, name }) =>
    perform(`Remove the view “${name}”`, { name: 'removeView', args: { viewId } }),
});

async function retryOne(
  deps: ChangeDeps,
  itemId: string,
  attend: (itemId: string) => Promise<ChangeOutcome>,
): Promise<ChangeOutcome> {
  const queued = await requeueRefused(deps, itemId);
  if (typeof queued === 'object') return queued;
  return queued ? attend(itemId) : { kind: 'done' };
}

const likesDoneChange = (likesDoneMail: boolean): PendingChange => ({
  name: 'setPreferences',
  args: { likesDoneMail },
});

async function switchChange(tx: StoreWriter, igId: string): Promise<PendingChange | undefined> {
  const accountId = await findAccountId(tx, igId);
  return accountId === undefined ? undefined : { name: 'switchAccount', args: { accountId } };
}

async function pinChange(
  tx: StoreWriter,
  igId: string,
  isPinned: boolean,
): Promise<PendingChange | undefined> {
  const accountId = await findAccountId(tx, igId);
  if (accountId === undefined) return undefined;
  const pinned = (await listPinned(tx)).map((account) => account.accountId);
  const others = pinned.filter((id) => id !== accountId);
  const pinnedAccountIds = isPinned ? [...others, accountId] : others;
  return { name: 'setPreferences', args: { pinnedAccountIds } };
}

/** With the last of the changes that were paused nothing is paused any more. */
async function discardOne(tx: StoreWriter, itemId: string): Promise<boolean> {
  const isGone = await discardChange(tx, itemId);
  if ((await tx.listOutbox()).length === 0) await resumeChanges(tx);
  return isGone;
}

async function sendAll(deps: ChangeDeps): Promise<boolean> {
  // Whoever asks for it gives up undoing, and asks for a new attempt, though the last one may just have failed.
  await deps.store.write(async (tx) => {
    await endUndo(tx);
    await resumeChanges(tx);
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

async function untilReachable({ sync, sleep }: ChangeDeps): Promise<void> {
  if (isReachable(sync.status())) return;
  const found = new AbortController();
  const stop = sync.subscribe(() => {
    if (isReachable(sync.status())) found.abort();
  });
  await sleep(FOUND_MS, found.signal);
  stop();
}

/** Queues a change with what it shows; earlier ones that it makes needless, and that were not sent, go. */
async function queuePending(
  tx: StoreWriter,
  item: Pick<OutboxItem, 'id' | 'title' | 'madeAt'>,
  change: PendingChange,
): Promise<void> {
  let queued = change;
  for (const earlier of await tx.listOutbox()) {
    const known = pendingChangeOf(earlier);
    if (!known || !replaces(change, known)) continue;
    const isGone = await discardChange(tx, earlier.id);
    if (isGone && earlier.state.kind === 'queued') queued = inPlaceOf(queued, known);
  }
  const { name, args } = queued;
  await queueChange(tx, { ...item, name, args, v: MUTATION_VERSION }, await patchesOf(tx, queued));
}
