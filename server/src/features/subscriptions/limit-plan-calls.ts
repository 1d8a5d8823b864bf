import type { Deps } from '../../deps.ts';
import { limit, LIMITS } from '../../http/rate-limit.ts';
import { findAccountByUsername } from '../accounts/account.repository.ts';
import type { AccountName } from './exits.service.ts';

/**
 * Counts one call about the plan of an account; a name that isn't connected isn't counted.
 * @throws ApiError `rate_limited`
 */
export async function limitPlanCalls(
  deps: Pick<Deps, 'clock' | 'database' | 'settings'>,
  name: 'exit' | 'quote',
  { workspaceId, igUsername }: AccountName,
): Promise<void> {
  const account = await findAccountByUsername(deps.database.db, workspaceId, igUsername);
  if (account) await limit(deps, { ...LIMITS[name], key: account.id });
}
