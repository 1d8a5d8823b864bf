import { type AccountView, byViewOrder } from '#shared/domain/accounts/account-view.ts';
import { changeMutes, NO_ALERT_CHOICES } from '#shared/domain/accounts/alert.ts';
import type { AlertChoices, Preferences } from '#shared/sync/entities.ts';
import type { MutationName, ParsedMutationArgs } from '#shared/sync/mutations.ts';
import type { OutboxItem } from '../store/outbox-item.ts';
import { scopeKind, type Scope, postKey } from '#shared/contract/scope.ts';
import { accountKey } from '../store/entity-shape.ts';
import type { Patch, StoreReader } from '../store/sync-store.ts';
import { findPostRow, findRowOf, findUserRow, listRowsOf } from '../store/read-rows.ts';
import { listScopes } from '../store/scope-state.ts';

/** The changes that can be made without network, as they stand in the outbox. */
export type PendingChange = {
  [Name in MutationName]: { name: Name; args: ParsedMutationArgs<Name> };
}[MutationName];

/** Written out, since the mutations bring all their schemas along; one that is forgotten is no type. */
const NAMES: Readonly<Record<MutationName, true>> = {
  orderLikes: true,
  saveDeliverySettings: true,
  tagAccounts: true,
  switchAccount: true,
  setPreferences: true,
  setAlerts: true,
  saveView: true,
  removeView: true,
};

/** What an outbox item does; undefined for one that another version of the app has queued. */
export function pendingChangeOf({
  name,
  args,
}: Pick<OutboxItem, 'name' | 'args'>): PendingChange | undefined {
  return Object.hasOwn(NAMES, name) ? ({ name, args } as unknown as PendingChange) : undefined;
}

/** Whether a later change makes an earlier one, that was not sent yet, needless. */
export function replaces(later: PendingChange, earlier: PendingChange): boolean {
  switch (later.name) {
    case 'orderLikes':
    case 'tagAccounts':
      return false;
    case 'saveDeliverySettings':
      return earlier.name === later.name && earlier.args.igId === later.args.igId;
    case 'switchAccount':
      return earlier.name === later.name;
    case 'setPreferences':
      // The whole list is sent, so the last one says it all.
      return earlier.name === later.name && isSubset(earlier.args, later.args);
    case 'setAlerts':
      return (
        earlier.name === later.name &&
        isSubset(earlier.args, later.args) &&
        isSameMute(later.args, earlier.args)
      );
    case 'saveView':
      return earlier.name === later.name && earlier.args.viewId === later.args.viewId;
    case 'removeView':
      return earlier.name === 'saveView' && earlier.args.viewId === later.args.viewId;
    default:
      return later satisfies never;
  }
}

/** What was seen before a change that was never sent is what the server has. */
export function inPlaceOf(later: PendingChange, earlier: PendingChange): PendingChange {
  if (later.name !== 'saveDeliverySettings' || earlier.name !== later.name) return later;
  const { seen: _, ...args } = later.args;
  const { seen } = earlier.args;
  return { name: later.name, args: { ...args, ...(seen && { seen }) } };
}

/** Whoever sends a refused change again has read why, and means it. */
export function meant(change: PendingChange): PendingChange {
  if (change.name !== 'saveDeliverySettings') return change;
  const { seen: _, ...args } = change.args;
  return { name: change.name, args };
}

const isSubset = (few: object, many: object): boolean =>
  Object.keys(few).every((name) => Object.hasOwn(many, name));

type AlertArgs = ParsedMutationArgs<'setAlerts'>;

const isSameMute = ({ mute: one }: AlertArgs, { mute: other }: AlertArgs): boolean =>
  other === undefined || (one?.kind === other.kind && one.clientId === other.clientId);

type NewPatch = Omit<Patch, 'itemId'>;

/** What a change changes for the eye at once. Rows that aren't here are left alone. */
export async function patchesOf(store: StoreReader, change: PendingChange): Promise<NewPatch[]> {
  switch (change.name) {
    case 'orderLikes':
      return orderPatches(store, change.args.postId, change.args.likes);
    case 'saveDeliverySettings': {
      const { igId, settings } = change.args;
      const accountId = await findAccountId(store, igId);
      if (accountId === undefined) return [];
      return [
        {
          entity: 'account',
          id: accountId,
          change: { kind: 'set', fields: { delivery: settings } },
        },
      ];
    }
    case 'tagAccounts': {
      const { accountIds, add, remove } = change.args;
      return accountIds.map((id) => ({
        entity: 'account',
        id,
        change: { kind: 'tags', add, remove },
      }));
    }
    case 'switchAccount':
      return preferencePatches(store, () => ({ activeAccountId: change.args.accountId }));
    case 'setPreferences':
      return preferencePatches(store, () => change.args);
    case 'setAlerts':
      return preferencePatches(store, ({ alerts }) => ({
        alerts: changedAlerts(alerts, change.args),
      }));
    case 'saveView': {
      const { viewId: id, ...view } = change.args;
      return viewPatches(store, (others) => [...others, { id, ...view }].sort(byViewOrder), id);
    }
    case 'removeView':
      return viewPatches(store, (others) => others, change.args.viewId);
    default:
      return change satisfies never;
  }
}

/** The person's views, of which all but one stay as they are. */
async function viewPatches(
  store: StoreReader,
  change: (others: AccountView[]) => AccountView[],
  viewId: string,
): Promise<NewPatch[]> {
  const user = await findUserRow(store);
  if (!user) return [];
  const views = change((user.views ?? []).filter(({ id }) => id !== viewId));
  return [{ entity: 'user', id: user.id, change: { kind: 'set', fields: { views } } }];
}

async function orderPatches(
  store: StoreReader,
  postId: string,
  likes: number,
): Promise<NewPatch[]> {
  const post = await findPostRow(store, postId);
  const wallets = (await listScopes(store)).filter(
    ({ scope }) => scopeKind(scope as Scope) === 'b',
  );
  const spent: NewPatch[] = wallets.map(({ scope }) => ({
    entity: 'wallet',
    id: scope.slice(2),
    change: { kind: 'add', fields: { credits: -likes } },
  }));
  if (!post) return spent;
  const id = postKey(String(post['accountId']), postId);
  const bought: NewPatch = {
    entity: 'post',
    id,
    change: { kind: 'add', fields: { totalLikesPurchased: likes } },
  };
  return [...spent, bought];
}

async function preferencePatches(
  store: StoreReader,
  change: (before: Preferences) => object,
): Promise<NewPatch[]> {
  const patches: NewPatch[] = [];
  for (const { scope } of await listScopes(store)) {
    if (scopeKind(scope as Scope) !== 'u') continue;
    const id = scope.slice(2);
    const before = (await findRowOf(store, 'user', id))?.preferences;
    if (!before) continue;
    const preferences = { ...before, ...change(before) };
    patches.push({ entity: 'user', id, change: { kind: 'set', fields: { preferences } } });
  }
  return patches;
}

function changedAlerts(
  { readUntil: readBefore, mutes, mailHour: hourBefore }: AlertChoices = NO_ALERT_CHOICES,
  { readUntil, mailHour = hourBefore, mute }: AlertArgs,
): AlertChoices {
  const isLater = readUntil !== undefined && readUntil > (readBefore ?? '');
  return {
    readUntil: isLater ? readUntil : readBefore,
    mutes: mute ? changeMutes(mutes, mute, mute.isOn) : mutes,
    mailHour,
  };
}

/** The id of the connected account with this network id; undefined when it isn't here. */
export async function findAccountId(store: StoreReader, igId: string): Promise<string | undefined> {
  const [account] = await listRowsOf(store, 'account', { foundBy: accountKey('account', igId) });
  return account?.accountId;
}
