import { dateInWords } from '#web/ui/words/dates.ts';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import type { Quote } from '#shared/contract/money/subscription.ts';
import { findPlan, type Plan } from '#shared/domain/money/plans.ts';
import { plannedChangeOf } from '#web/payments/plan/plan-change-words.ts';
import { PlannedChangeNotice } from '#web/payments/plan/planned-change.tsx';
import { useServices } from '#web/platform/services.ts';
import { useWaitingNotice } from '../bank/use-waiting-notice.tsx';
import { PlanNow } from './checkout-summary.tsx';
import styles from './paid-already.module.css';

/** The checkout itself has no use for it. */
const PlanChange = lazy(async () => {
  const { PlanChange: default_ } = await import('#web/payments/plan/plan-change.tsx');
  return { default: default_ };
});

/** An account that is paid is never charged a second plan: its plan can be changed here (D5). */
export function PaidAlready({
  account,
  firstPlan,
}: {
  account: ConnectedAccount;
  firstPlan: Plan;
}) {
  const { paths, platform } = useServices();
  const [changed, setChanged] = useState<Quote['starts']>();
  const waiting = useWaitingNotice();
  const isChanged = changed === 'now';
  const planned = plannedChangeOf(account);
  const plan = findPlan(account.accountPackageId ?? 0);
  const next = account.nextBillingDate;
  const timeZone = account.timeZone ?? platform.timeZone();
  return (
    <>
      {waiting.opened}
      <div className={styles['paid']}>
        <div className="grid gap-3 content-start">
          <p>
            @{account.igUsername} {isChanged ? 'now' : 'already'} has a plan
            {plan && ` with ${plan.description} likes per post`}
            {next && chargedInWords(account, dateInWords(Date.parse(next), timeZone))}.
          </p>
          <p>
            <Link to={paths.dashboard}>Go to the dashboard</Link>
          </p>
        </div>
        <aside className={styles['now']} aria-label="Your current plan">
          {plan && (
            <PlanNow
              plan={plan}
              nextMs={next === null ? undefined : Date.parse(next)}
              isChanged={isChanged}
              isDue={account.subscriptionState === 'Past due'}
              timeZone={timeZone}
            />
          )}
          {waiting.besideForm}
        </aside>
        {planned && <PlannedChangeNotice account={account} planned={planned} />}
        {changed === undefined && (
          <Suspense>
            <PlanChange
              account={account}
              firstPlan={firstPlan.number}
              onChanged={({ starts }) => {
                setChanged(starts);
                waiting.again();
              }}
            />
          </Suspense>
        )}
        {waiting.byButton}
      </div>
    </>
  );
}

const chargedInWords = ({ subscriptionState }: ConnectedAccount, day: string): string =>
  subscriptionState === 'Past due'
    ? `. Its payment has been due since ${day}`
    : `, charged next on ${day}`;
