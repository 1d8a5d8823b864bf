import { DELIVERY_TARGET, deliverySentence } from '#shared/domain/delivery/delivery-promise.ts';
import type { Deps } from '#server/kit/deps.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { measureDeliveryTimes } from './delivery-times.repository.ts';

const KEPT_MS = MINUTE_MS;

/**
 * The sentence about delivery times that the public pages carry, measured anew at most once a minute.
 * It never rejects: while the times can't be measured it is the last one known.
 */
export function createDeliverySentence(
  deps: Pick<Deps, 'clock' | 'database' | 'log' | 'settings'>,
): () => Promise<string> {
  let known = DELIVERY_TARGET;
  let measuring: Promise<string> | undefined;
  let keptUntil = Number.NEGATIVE_INFINITY;

  const measure = async (): Promise<string> => {
    try {
      const times = await measureDeliveryTimes(deps.database.db);
      known = deliverySentence({ ...times, isDemoData: deps.settings.isSandbox });
    } catch (error) {
      deps.log.warn('delivery times could not be measured', { error });
    }
    keptUntil = deps.clock.now() + KEPT_MS;
    measuring = undefined;
    return known;
  };

  return async () => {
    if (deps.clock.now() < keptUntil) return known;
    measuring ??= measure();
    return measuring;
  };
}
