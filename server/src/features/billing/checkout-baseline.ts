import { ApiError } from '../../api-error.ts';
import { accountUnreadable } from '../accounts/account-unreadable.ts';
import { type AccountReading, readNetworkAccount } from '../detection/network-reader.ts';

/** What the checkout needs of the network: the account as it is and the ids of its newest posts. */
export type Baseline = Extract<AccountReading, { kind: 'read' }>;

type BaselineDeps = Parameters<typeof readNetworkAccount>[0];

/** More than can appear in the tolerance before a baseline (D7), and a page every network gives. */
const BASELINE_POSTS = 25;

/**
 * Reads the account as it is before its plan begins. Without that read there is no charge (D7).
 * @throws ApiError `account_unreadable`, `network_throttled`, `network_unreachable`
 */
export async function readBaseline(deps: BaselineDeps, igUsername: string): Promise<Baseline> {
  const reading = await readNetworkAccount(deps, { username: igUsername, limit: BASELINE_POSTS });
  switch (reading.kind) {
    case 'read':
      return reading;
    case 'unreadable':
      throw accountUnreadable(igUsername);
    case 'throttled':
      throw new ApiError(
        'network_throttled',
        'Instagram is limiting our requests right now. You were not charged. Please try again shortly.',
        { retryAfterMs: reading.retryAfterMs },
      );
    case 'unreachable':
      break;
  }
  throw new ApiError(
    'network_unreachable',
    'Instagram isn’t responding right now. You were not charged. Please try again shortly.',
  );
}
