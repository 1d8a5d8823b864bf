import { dateInWords } from '#web/ui/words/dates.ts';
import type { CreditPackage } from '#shared/domain/money/credit-packages.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import type { Plan } from '#shared/domain/money/plans.ts';
import { zoneTime } from '#shared/domain/time-zone.ts';
import { HONEST_SENTENCE } from '#web/payments/honest-sentence.ts';
import { PriceRows, type PriceRow } from '#web/payments/price-rows.tsx';
import { chargeSentence, nextChargeMs } from '#web/payments/price-words.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './checkout-summary.module.css';

const UNCHANGED =
  'You won’t be charged today unless you choose another plan and confirm its price.';
const STILL_DUE = 'The payment for this month is still due.';

/** What a plan gives, what it costs, and when it is charged. */
export function PlanSummary({ plan, timeZone }: { plan: Plan; timeZone: string }) {
  const nowMs = useServices().platform.now();
  const price = formatCents(plan.priceCents);
  return (
    <Summary
      rows={[
        { label: 'Likes per post', value: plan.description },
        { label: 'Monthly price', value: price },
        {
          label: 'Next charge date',
          value: dateInWords(nextChargeMs(nowMs, timeZone), timeZone),
        },
        { label: 'Total today', value: price, isTotal: true },
      ]}
      sentence={`${chargeSentence(plan.priceCents, nowMs, timeZone)} Dates are in ${zoneTime(timeZone)}.`}
    />
  );
}

/** The plan an account has, beside what it could be changed to. */
export function PlanNow({
  plan,
  nextMs,
  isChanged,
  isDue,
  timeZone,
}: {
  plan: Plan;
  nextMs: number | undefined;
  isChanged: boolean;
  /** Not paid on its date, and tried again on later ones, of which today may be one. */
  isDue: boolean;
  timeZone: string;
}) {
  const charged = nextMs === undefined ? 'None' : dateInWords(nextMs, timeZone);
  return (
    <Summary
      title="Your current plan"
      rows={[
        { label: 'Likes per post', value: plan.description },
        { label: 'Monthly price', value: formatCents(plan.priceCents) },
        { label: isDue ? 'Payment due since' : 'Next charge date', value: charged },
      ]}
      sentence={isChanged ? 'It’s active now.' : isDue ? STILL_DUE : UNCHANGED}
    />
  );
}

/** What a credit package gives and costs; without one chosen, what is still missing. */
export function PackSummary({
  pack,
  credits,
}: {
  pack: CreditPackage | undefined;
  credits: number;
}) {
  if (!pack) return <Summary rows={[]} sentence="Choose a package to see what you’ll pay." />;
  const price = formatCents(pack.priceCents);
  return (
    <Summary
      rows={[
        { label: 'Credits', value: pack.credits.toLocaleString('en-US') },
        { label: 'New balance', value: (credits + pack.credits).toLocaleString('en-US') },
        { label: 'Total today', value: price, isTotal: true },
      ]}
      sentence={`You pay ${price} once, with no further charges. 1 credit is 1 like.`}
    />
  );
}

function Summary({
  title = 'Summary',
  rows,
  sentence,
}: {
  title?: string;
  rows: readonly PriceRow[];
  sentence: string;
}) {
  return (
    <div className={styles['summary']}>
      <h2 className="text-3">{title}</h2>
      <PriceRows rows={rows} />
      <p>{sentence}</p>
      <p className="pt-4 border-t c-soft text-1">{HONEST_SENTENCE}</p>
    </div>
  );
}
