import { MINUTE_MS } from '#shared/domain/durations.ts';
import type { Deps } from '#server/kit/deps.ts';
import { usesByAddress } from '../limits/address-limit.ts';
import {
  forgetLimit,
  isWithinLimit,
  type Limit,
  limit,
  LIMITS,
  refuseWhileFull,
  takeBackLimit,
  usesBeyondLimit,
} from '../limits/rate-limit.ts';
import type { Lane } from './known-browser.service.ts';

type LimitDeps = Pick<Deps, 'clock' | 'database' | 'settings'>;
type Use = Limit & { key: string };

/** A try at a password that was let through; counted as failed until it has succeeded. */
interface CountedTry {
  /** Takes back what a success shouldn't have counted. */
  succeeded: () => Promise<void>;
}

const SLOWEST_MS = 60 * MINUTE_MS;
/** For as long as the delay has grown to. */
const SLOW_STRANGERS = { name: 'slow-stranger-login', uses: 1 };

/**
 * Counts a try at an account's password, before anything is compared.
 *
 *   by client address, over all accounts:  60 failures, then one try in 30 s
 *   by known browser or network:           5 failures, then one try in 30 s; nobody else counts there
 *   strangers, each:                       as above
 *   strangers, all together:               12 an hour and 50 a day, then 1, 2, 4 ... 60 minutes apart
 *
 * So nobody keeps a customer out of a browser or network they have logged in from, and guesses from any
 * number of addresses are at most 40 in any hour and 150 in any day. What is refused here was no try and doesn't count.
 * @throws ApiError `rate_limited` with the time to wait
 */
export async function countTry(
  deps: LimitDeps,
  { email, address, lane }: { email: string; address: string; lane: Lane },
): Promise<CountedTry> {
  if (lane.kind === 'stranger') await refuseWhileFull(deps, { ...SLOW_STRANGERS, key: email });
  const byAddress = await countAddress(deps, address);
  const own: Use = { ...LIMITS.login, key: JSON.stringify([email, lane.key]) };
  const strangers = lane.kind === 'stranger' ? strangerUses(email) : [];
  try {
    if (byAddress.full) {
      await limit(deps, { ...LIMITS.slowLogin, key: byAddress.full, isOfAddress: true });
    } else if (!(await isWithinLimit(deps, own))) {
      await limit(deps, { ...LIMITS.slowLogin, key: own.key });
    }
    await limitStrangers(deps, email, strangers);
  } catch (error) {
    await takeBack(deps, byAddress.counted);
    throw error;
  }
  return {
    succeeded: async () => {
      await takeBack(deps, [...byAddress.counted, ...strangers]);
      await forgetLimit(deps, own);
    },
  };
}

/** Whoever has proven to be the customer in another way needn't wait for their own former tries. */
export async function forgetOwnTries(deps: LimitDeps, email: string, lane: Lane): Promise<void> {
  await forgetLimit(deps, { ...LIMITS.login, key: JSON.stringify([email, lane.key]) });
}

/** `full`: the key of the smallest network of the address that has had its failures. */
async function countAddress(
  deps: LimitDeps,
  address: string,
): Promise<{ full: string | undefined; counted: Use[] }> {
  const counted: Use[] = [];
  for (const use of usesByAddress(LIMITS.loginAddress, address)) {
    counted.push(use);
    if (!(await isWithinLimit(deps, use))) return { full: use.key, counted };
  }
  return { full: undefined, counted };
}

const strangerUses = (email: string): Use[] => [
  { ...LIMITS.strangerLoginHour, key: email },
  { ...LIMITS.strangerLoginDay, key: email },
];

async function limitStrangers(
  deps: LimitDeps,
  email: string,
  strangers: readonly Use[],
): Promise<void> {
  let beyond = 0;
  for (const use of strangers) beyond = Math.max(beyond, await usesBeyondLimit(deps, use));
  if (beyond === 0) return;
  const perMs = Math.min(SLOWEST_MS, MINUTE_MS * 2 ** (beyond - 1));
  try {
    await limit(deps, { ...SLOW_STRANGERS, perMs, key: email });
  } catch (error) {
    await takeBack(deps, strangers);
    throw error;
  }
}

async function takeBack(deps: LimitDeps, uses: readonly Use[]): Promise<void> {
  for (const use of uses) await takeBackLimit(deps, use);
}
