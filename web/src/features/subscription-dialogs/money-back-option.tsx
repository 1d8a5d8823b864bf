import { Button } from '@mantine/core';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { hasRunningPlan } from '#web/components/account-state.ts';
import { dateInWords, dollarsInWords } from '#web/components/price-words.ts';
import { useServices } from '#web/platform/services.ts';
import type { Exit } from './use-exit.ts';

/** All money of a plan back in its first 30 days, also once the plan has ended in them (D5). */
export function MoneyBackOption({ account, exit }: { account: ConnectedAccount; exit: Exit }) {
  const { platform } = useServices();
  const until = account.moneyBackUntil;
  if (!until || Date.parse(until) < platform.now()) {
    return (
      <section>
        <h4>Money back</h4>
        <p>
          Money back is possible in the first 30 days of a new plan, once per account. For this plan
          it is not, or no longer, possible.
        </p>
      </section>
    );
  }
  const { moneyBackAmount: paid } = account;
  const stops = hasRunningPlan(account) ? 'likes stop at once and ' : '';
  const amount = paid === null ? 'your money' : dollarsInWords(paid);
  return (
    <section>
      <h4>Money back</h4>
      <p>
        Until {dateInWords(Date.parse(until), platform.timeZone())}, no questions: {stops}all you
        paid for this plan, {amount}, returns to your card. The review is answered in 3-5 business
        days, the payout takes 7-10 business days. Once per account.
      </p>
      <Button
        variant="default"
        loading={exit.busy === 'money_back'}
        disabled={exit.busy !== undefined}
        onClick={exit.moneyBack}
      >
        {`Get ${amount} back`}
      </Button>
    </section>
  );
}
