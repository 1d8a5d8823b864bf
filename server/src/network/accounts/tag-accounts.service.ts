import {
  changeTags,
  TAG_LIMITS,
  type TagChange,
  tagKey,
} from '#shared/domain/accounts/account-tags.ts';
import type { AccountId, WorkspaceId } from '#shared/domain/ids.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Tx } from '#server/kit/db/database.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { notYourAccount } from './account-refusals.ts';
import { type AccountRow, listAccounts, listTags, setTags } from './account.repository.ts';

/**
 * Gives these accounts tags and takes tags from them, all or nothing; a tag that the customer has is written as
 * they wrote it first.
 * @throws ApiError `not_yours`, `too_many_tags`
 */
export async function tagAccounts(
  tx: Tx,
  {
    workspaceId,
    actor,
    accountIds,
    now,
    ...change
  }: TagChange & {
    workspaceId: WorkspaceId;
    actor: string;
    accountIds: readonly AccountId[];
    now: Date;
  },
): Promise<void> {
  // One after another, so that together they stay within what a customer may have.
  await lockWorkspace(tx, workspaceId);
  const accounts = await listAccounts(tx, workspaceId, accountIds);
  if (accounts.length < new Set(accountIds).size) throw notYourAccount();
  const written = new Map((await listTags(tx, workspaceId)).map((tag) => [tagKey(tag), tag]));
  const add = change.add.map((tag) => written.get(tagKey(tag)) ?? tag);
  const changed = accounts.flatMap((account) => taggedAccount(account, { ...change, add }) ?? []);
  await setTags(tx, workspaceId, changed);
  if ((await listTags(tx, workspaceId)).length > Math.max(TAG_LIMITS.ofCustomer, written.size)) {
    throw new ApiError(
      'too_many_tags',
      `You can have up to ${TAG_LIMITS.ofCustomer} different tags. Take one off its accounts first.`,
    );
  }
  if (changed.length === 0) return;
  const subject = changed.length === 1 ? changed[0]?.id : undefined;
  await appendAudit(tx, { workspaceId, actor, action: 'accounts_tagged', subject, now });
}

/**
 * An account with its tags changed; undefined: they stay what they are.
 * @throws ApiError `too_many_tags`
 */
export function taggedAccount(account: AccountRow, change: TagChange): AccountRow | undefined {
  const tags = changeTags(account.tags, change);
  if (tags.length > Math.max(TAG_LIMITS.ofAccount, account.tags.length)) {
    throw new ApiError(
      'too_many_tags',
      `@${account.ig_username} would have ${tags.length} tags. An account can have up to ${TAG_LIMITS.ofAccount}.`,
    );
  }
  return tags.join('\n') === account.tags.join('\n') ? undefined : { ...account, tags };
}
