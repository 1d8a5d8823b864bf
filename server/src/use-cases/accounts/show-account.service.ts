import type { CallData } from '#shared/contract/call.ts';
import type { lookUpAccount as lookUpCall } from '#shared/contract/account-changes.ts';
import type { Deps } from '#server/kit/deps.ts';
import { findStanding } from './ownership.service.ts';
import { findAccountByIgId } from '#server/network/accounts/account.repository.ts';
import { type LookUp, lookUpProfile } from '#server/network/accounts/look-up-account.ts';

/**
 * Shows an account without connecting it: what the network says of it, and whether somebody else's plan
 * stands in the way, before anybody has typed a card.
 * @throws ApiError as `lookUpProfile`
 */
export async function showAccount(
  deps: Pick<Deps, 'clock' | 'database' | 'log' | 'network' | 'random' | 'settings'>,
  lookUp: LookUp,
): Promise<CallData<typeof lookUpCall>> {
  const { workspaceId, igUsername } = lookUp;
  const { account } = await lookUpProfile(deps, lookUp);
  const { igId, followers } = account;
  const known = await findAccountByIgId(deps.database.db, workspaceId, igId);
  const standing = await findStanding(deps, workspaceId, igId);
  return {
    igUsername: known?.ig_username ?? igUsername,
    igId,
    followers,
    isConnected: known !== undefined,
    standing,
  };
}
