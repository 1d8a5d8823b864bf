import { useEffect, useState } from 'react';
import { DAY_MS } from '#shared/domain/durations.ts';
import { fromLocal, toLocal } from '#shared/domain/time-zone.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';
import {
  type KnownFigures,
  watchAccountFigures,
} from '#web/replica/queries/watch-account-figures.ts';

const DAYS_MS = 30 * DAY_MS;

/** What is counted: posts and likes of this month, all else of the last 30 days; milliseconds since the epoch. */
interface Times {
  nowMs: number;
  monthMs: number;
  fromMs: number;
}

function timesOf(nowMs: number, timeZone: string): Times {
  const { year, month } = toLocal(nowMs, timeZone);
  const midnight = { hour: 0, minute: 0, second: 0, millisecond: 0 };
  const monthMs = fromLocal({ year, month, day: 1, ...midnight }, timeZone);
  return { nowMs, monthMs, fromMs: Math.min(monthMs, nowMs - DAYS_MS) };
}

interface AccountFiguresInUse {
  /** Undefined until posts and orders have been read. */
  known: KnownFigures | undefined;
  /** When this device has less than is counted: from when on it has all, milliseconds since the epoch. */
  partialSinceMs: number | undefined;
}

/** The figures of all accounts, live. */
export function useAccountFigures(): AccountFiguresInUse {
  const { db } = useCustomer();
  const { platform } = useServices();
  const [times] = useState(() => timesOf(platform.now(), platform.timeZone()));
  const [known, setKnown] = useState<KnownFigures>();
  useEffect(
    () =>
      watchAccountFigures(db, times, {
        onFigures: setKnown,
        onError: (error) => platform.report('Figures of accounts could not be read', error),
      }),
    [db, platform, times],
  );
  const isPartial = known !== undefined && known.sinceMs > times.fromMs;
  return { known, partialSinceMs: isPartial ? known.sinceMs : undefined };
}
