import { formatCents } from '#shared/domain/money.ts';
import type { Plan } from '#shared/domain/plans.ts';
import { HONEST_SENTENCE } from '#web/components/honest-sentence.ts';
import { chargeSentence, dateInWords, nextChargeMs } from '#web/components/price-words.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './checkout-summary.module.css';

/** What is bought, what it costs, when it is charged, and what one should know before. */
export function CheckoutSummary({ plan }: { plan: Plan }) {
  const { platform } = useServices();
  const [nowMs, timeZone] = [platform.now(), platform.timeZone()];
  const price = formatCents(plan.priceCents);
  return (
    <div className={styles['summary']}>
      <h2>Summary</h2>
      <dl>
        <div>
          <dt>Likes per post</dt>
          <dd>{plan.description}</dd>
        </div>
        <div>
          <dt>Monthly price</dt>
          <dd>{price}</dd>
        </div>
        <div>
          <dt>Next charge date</dt>
          <dd>{dateInWords(nextChargeMs(nowMs, timeZone), timeZone)}</dd>
        </div>
        <div className={styles['total']}>
          <dt>Total today</dt>
          <dd>{price}</dd>
        </div>
      </dl>
      <p>{chargeSentence(plan.priceCents, nowMs, timeZone)}</p>
      <p className={styles['honest']}>{HONEST_SENTENCE}</p>
    </div>
  );
}
