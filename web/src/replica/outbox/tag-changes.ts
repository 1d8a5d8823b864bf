import { TAGGED_AT_ONCE } from '#shared/domain/accounts/account-tags.ts';
import type { TagChange } from '#shared/domain/accounts/account-tags.ts';
import type { AccountId } from '#shared/domain/ids.ts';
import { listRowsOf } from '../store/read-rows.ts';
import type { StoreReader } from '../store/sync-store.ts';
import type { PendingChange } from './pending-change.ts';

/** A change of tags, in parts of as many accounts as one may be of; accounts that aren't here are left out. */
export async function tagChanges(
  tx: StoreReader,
  igUsernames: readonly string[],
  { add, remove }: TagChange,
): Promise<PendingChange[]> {
  const wanted = new Set(igUsernames);
  const accounts = await listRowsOf(tx, 'account');
  const ids = accounts.flatMap(({ igUsername, accountId }) =>
    wanted.has(igUsername) ? [accountId] : [],
  );
  const changes: PendingChange[] = [];
  for (let from = 0; from < ids.length; from += TAGGED_AT_ONCE) {
    const accountIds: AccountId[] = ids.slice(from, from + TAGGED_AT_ONCE);
    changes.push({ name: 'tagAccounts', args: { accountIds, add: [...add], remove: [...remove] } });
  }
  return changes;
}

/** The change in the customer's words: “VIP” on @ada.paints; “VIP”, not “new” on 212 accounts. */
export function tagsTitle(igUsernames: readonly string[], { add, remove }: TagChange): string {
  const quoted = (tags: readonly string[]): string => tags.map((tag) => `“${tag}”`).join(', ');
  const words = [
    add.length > 0 && `Add ${quoted(add)}`,
    remove.length > 0 && `${add.length > 0 ? 'take off' : 'Take off'} ${quoted(remove)}`,
  ].filter(Boolean);
  const [first = ''] = igUsernames;
  const accounts =
    igUsernames.length === 1
      ? `@${first}`
      : `${igUsernames.length.toLocaleString('en-US')} accounts`;
  return `Tags of ${accounts}: ${words.join(', ')}`;
}
