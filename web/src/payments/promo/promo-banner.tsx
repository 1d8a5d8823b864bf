import { useEffect, useState } from 'react';
import { openPromo } from '#shared/contract/people/visitor.ts';
import { MINUTE_MS } from '#shared/domain/durations.ts';
import { PROMO_WINDOW_MS, SIGNUP_BONUS_CREDITS } from '#shared/domain/money/promo.ts';
import type { Api } from '#web/api/client.ts';
import styles from './promo-banner.module.css';

const MINUTES = PROMO_WINDOW_MS / MINUTE_MS;
/** True of every visit, so that it may stand before the server has been asked. */
const OFFER = `Sign up within ${MINUTES} minutes of your first visit for ${SIGNUP_BONUS_CREDITS} bonus credits with your first payment.`;
const ENDED = `The offer of ${SIGNUP_BONUS_CREDITS} bonus credits has ended.`;
/** Often enough that no second is skipped. */
const TICK_MS = 200;

/** The sign-up offer and how long this browser still has it (D8). */
export function PromoBanner({ api, now }: { api: Api; now: () => number }) {
  const seconds = usePromoSeconds(api, now);
  const hasEnded = seconds === 0;
  return (
    <section aria-label="Offer" className={styles['banner']} data-ended={hasEnded || undefined}>
      <p>
        <span aria-live="polite">{hasEnded ? ENDED : OFFER}</span>
        {!hasEnded && (
          <span role="timer" aria-label="Time left" className={styles['time']}>
            {' '}
            {seconds === undefined ? '' : minutesAndSeconds(seconds)}{' '}
          </span>
        )}
      </p>
    </section>
  );
}

/** Seconds this browser still has; undefined until, and unless, the server has said. */
function usePromoSeconds(api: Api, now: () => number): number | undefined {
  const [clock, setClock] = useState<PromoClock>();
  const [seconds, setSeconds] = useState<number>();

  useEffect(() => {
    let isShown = true;
    const open = async (): Promise<void> => {
      const answer = await api.call(openPromo, {});
      if (!isShown || answer.kind !== 'success') return;
      const { endsAt, now: serverNow } = answer.data;
      const read = { endsAtMs: Date.parse(endsAt), skewMs: Date.parse(serverNow) - now() };
      setClock(read);
      setSeconds(secondsLeft(read, now()));
    };
    void open();
    return () => {
      isShown = false;
    };
  }, [api, now]);

  const isRunning = clock !== undefined && seconds !== 0;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setSeconds(secondsLeft(clock, now())), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning, clock, now]);

  return seconds;
}

/** How a browser's offer stands, by the server's clock (D8). */
interface PromoClock {
  endsAtMs: number;
  /** The server's clock minus the browser's. */
  skewMs: number;
}

/** Whole seconds until the offer ends; 0 and no less once it has. */
export function secondsLeft({ endsAtMs, skewMs }: PromoClock, nowMs: number): number {
  return Math.max(0, Math.ceil((endsAtMs - (nowMs + skewMs)) / 1000));
}

/** Seconds as minutes:seconds, e.g. 5:00, 4:59, 0:00. */
export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
