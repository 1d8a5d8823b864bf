import type { Deps } from '../../deps.ts';
import { networkOf } from '../../http/client-address.ts';
import { limit, LIMITS, takeBackLimit } from '../../http/rate-limit.ts';

type LimitDeps = Pick<Deps, 'clock' | 'database' | 'settings'>;

/** Whose checkout it is, and where it came from. */
export interface CheckoutOrigin {
  workspaceId: string;
  /** Of the client. */
  address: string;
}

/**
 * Counts one checkout, by customer and by address. Called when all that was sent has been found good, right
 * before the gateway is asked: what is refused beforehand doesn't count.
 * @throws ApiError `rate_limited`
 */
export async function limitCheckouts(
  deps: LimitDeps,
  { workspaceId, address }: CheckoutOrigin,
): Promise<void> {
  await limit(deps, { ...LIMITS.checkout, key: workspaceId });
  await limit(deps, { ...LIMITS.checkoutAddress, key: networkOf(address) });
}

/** Takes one back that turned out to be refused before the gateway was asked. */
export async function takeBackCheckout(
  deps: LimitDeps,
  { workspaceId, address }: CheckoutOrigin,
): Promise<void> {
  await takeBackLimit(deps, { ...LIMITS.checkout, key: workspaceId });
  await takeBackLimit(deps, { ...LIMITS.checkoutAddress, key: networkOf(address) });
}
