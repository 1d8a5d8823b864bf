import type { Deps } from '../../deps.ts';
import { usesByAddress } from '../../http/address-limit.ts';
import { limitAll, LIMITS, takeBackLimit } from '../../http/rate-limit.ts';

type LimitDeps = Pick<Deps, 'clock' | 'database' | 'settings'>;

/** Whose checkout it is, and where it came from. */
export interface CheckoutOrigin {
  workspaceId: string;
  /** Of the client. */
  address: string;
}

const limitsOf = ({ workspaceId, address }: CheckoutOrigin) => [
  { ...LIMITS.checkout, key: workspaceId },
  ...usesByAddress(LIMITS.checkoutAddress, address),
];

/**
 * Counts one checkout, by customer and by address. Called when all that was sent has been found good, right
 * before the gateway is asked: what is refused beforehand doesn't count.
 * @throws ApiError `rate_limited`
 */
export async function limitCheckouts(deps: LimitDeps, origin: CheckoutOrigin): Promise<void> {
  await limitAll(deps, limitsOf(origin));
}

/** Takes one back that turned out to be refused before the gateway was asked. */
export async function takeBackCheckout(deps: LimitDeps, origin: CheckoutOrigin): Promise<void> {
  for (const each of limitsOf(origin)) await takeBackLimit(deps, each);
}
