import { ApiError } from '../../api-error.ts';
import type { Deps } from '../../deps.ts';
import { limit, LIMITS } from '../../http/rate-limit.ts';
import { type AccountReading, readNetworkAccount } from '../detection/network-reader.ts';
import { accountUnreadable } from './account-unreadable.ts';

export type ReadAccount = Extract<AccountReading, { kind: 'read' }>;

/** More than can appear in the tolerance before a baseline (D7), and a page every network gives. */
export const LOOK_UP_POSTS = 25;

/**
 * Asks the network for an account because a customer named it; counted as a look-up of the workspace.
 * @throws ApiError `rate_limited`, and the three outcomes of D6: `account_unreadable`,
 * `network_throttled`, `network_unreachable`
 */
export async function lookUpAccount(
  deps: Pick<Deps, 'clock' | 'database' | 'log' | 'network' | 'random' | 'settings'>,
  { workspaceId, igUsername }: { workspaceId: string; igUsername: string },
): Promise<ReadAccount> {
  await limit(deps, { ...LIMITS.lookUp, key: workspaceId });
  const reading = await readNetworkAccount(deps, { username: igUsername, limit: LOOK_UP_POSTS });
  switch (reading.kind) {
    case 'read':
      return reading;
    case 'unreadable':
      throw accountUnreadable(igUsername);
    case 'throttled':
      throw new ApiError(
        'network_throttled',
        'The social network lets us ask no more for the moment. Please try again shortly.',
        { retryAfterMs: reading.retryAfterMs },
      );
    case 'unreachable':
      break;
  }
  throw new ApiError(
    'network_unreachable',
    'The social network doesn’t answer at the moment. Please try again shortly.',
  );
}
