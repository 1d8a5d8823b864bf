import type { ProviderOutcome } from '#server/adapters/provider/delivery-provider.ts';
import type { Deps, Random } from '#server/kit/deps.ts';
import type { Round } from '#server/kit/jobs/loop.ts';
import { backoffMs } from '#server/kit/async/backoff.ts';

/** How a round of work with the provider went. */
export type ProviderRound =
  /** Nothing was due. */
  | 'idle'
  /** There may be more at once. */
  | 'again'
  /** The provider didn't answer, or not sensibly: nothing is lost, everything is due again later. */
  | 'unavailable';

/** Turns rounds into the loop's, pausing longer and longer while the provider doesn't answer. */
export function pausingWhileUnavailable(
  deps: Pick<Deps, 'random'>,
  round: () => Promise<ProviderRound>,
): () => Promise<Round> {
  let failures = 0;
  return async () => {
    const outcome = await round();
    if (outcome !== 'unavailable') {
      failures = 0;
      return outcome;
    }
    failures += 1;
    return { idleMs: retryDelayMs(failures, deps.random) };
  };
}

/** Logs why a call failed: trouble that passes as a warning, a refusal of our request as an error. */
export function logFailure(
  log: Deps['log'],
  call: string,
  outcome: Exclude<ProviderOutcome<never>, { kind: 'answered' }>,
  count: number,
): void {
  switch (outcome.kind) {
    case 'unavailable':
      log.warn('provider unavailable', { job: call, reason: outcome.reason, count });
      return;
    case 'unreadable':
      log.error('provider answered what can’t be read', { job: call, count });
      return;
    case 'rejected':
      log.error('provider refused our request', { job: call, status: outcome.status, count });
  }
}

/** Short enough that a customer hardly notices when the provider is back. */
const RETRY = { firstMs: 500, longestMs: 10_000 };

/**
 * Milliseconds before a failed call is tried again: doubling from half a second to ten, of which a random
 * part up to a half is left out, so that workers that failed together don't come back together.
 */
export function retryDelayMs(failures: number, random: Random): number {
  const share = random.bytes(4).readUInt32BE() / 2 ** 32;
  return Math.round(backoffMs(failures, RETRY) * (1 - share / 2));
}
