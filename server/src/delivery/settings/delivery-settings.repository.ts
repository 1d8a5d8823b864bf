import type { DeliverySettings } from '#shared/contract/accounts/account-changes.ts';
import type { Tx } from '#server/kit/db/database.ts';
import type { AccountRow } from '#server/network/accounts/account.repository.ts';

export async function setDeliverySettings(
  tx: Tx,
  account: Pick<AccountRow, 'workspace_id' | 'id'>,
  { automaticLikes, speed, range }: DeliverySettings,
): Promise<void> {
  await tx
    .updateTable('account')
    .set({
      automatic_likes: automaticLikes,
      speed,
      range_min: range?.min ?? null,
      range_max: range?.max ?? null,
    })
    .where('workspace_id', '=', account.workspace_id)
    .where('id', '=', account.id)
    .execute();
}

/** The stored settings as customers see them. */
export function viewDeliverySettings(account: AccountRow): DeliverySettings {
  const { automatic_likes: automaticLikes, speed, range_min: min, range_max: max } = account;
  return { automaticLikes, speed, range: min === null || max === null ? null : { min, max } };
}
