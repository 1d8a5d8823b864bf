import type { DeliverySettings } from '#shared/contract/accounts/account-changes.ts';
import type { BulkChange } from '#shared/contract/accounts/bulk.ts';
import { changeDelivery } from '#shared/domain/delivery/delivery-change.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Deps } from '#server/kit/deps.ts';
import { viewDeliverySettings } from '#server/delivery/settings/delivery-settings.repository.ts';
import { type AccountRow, findAccount } from '#server/network/accounts/account.repository.ts';
import { notConnected } from '#server/network/accounts/account-refusals.ts';
import { putSettings, settingsText } from '../accounts/delivery-settings.service.ts';
import type { Applied } from './apply-change.service.ts';
import type { ItemClaim } from './bulk.repository.ts';

type DeliveryChange = Extract<BulkChange, { kind: 'delivery' }>;

export const seenSettings = (account: AccountRow): string =>
  settingsText(viewDeliverySettings(account));

/**
 * Changes the settings that are named, unless somebody else has changed any since they were looked at.
 * @throws ApiError it can't be done, and nothing was changed
 */
export async function applyDelivery(
  deps: Deps,
  item: ItemClaim,
  { settings: change }: DeliveryChange,
): Promise<Applied> {
  const { workspace_id: workspaceId, account_id: accountId, startedBy: userId } = item;
  const account =
    accountId === null ? undefined : await findAccount(deps.database.db, workspaceId, accountId);
  if (!account || account.ig_id === null) throw notConnected(item.ig_username);
  const before = viewDeliverySettings(account);
  const settings = changeDelivery(before, change);
  const leftAs = settingsText(settings);
  const done = { kind: 'done', chargedCents: 0, leftAs } as const;
  // Done already, by this item before its worker died, or by somebody else: nothing to take back.
  if (leftAs === seenSettings(account)) return { ...done, undo: null };
  const check = (now: AccountRow): void => {
    if (seenSettings(now) !== item.seen) throw overtaken(item);
  };
  await putSettings(deps, { workspaceId, userId, igId: account.ig_id, settings, check });
  return { ...done, undo: { kind: 'delivery', settings: inverseOf(before, change) } };
}

function overtaken({ ig_username: igUsername }: ItemClaim): ApiError {
  return new ApiError(
    'overtaken',
    `The delivery settings of @${igUsername} changed after you checked these changes, so they were left as they are now.`,
  );
}

/** What was named, as it was before. */
function inverseOf(
  before: DeliverySettings,
  change: DeliveryChange['settings'],
): DeliveryChange['settings'] {
  return {
    ...(change.automaticLikes !== undefined && { automaticLikes: before.automaticLikes }),
    ...(change.speed !== undefined && { speed: before.speed }),
    ...(change.range !== undefined && { range: before.range }),
  };
}
