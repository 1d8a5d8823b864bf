import { Button } from '@mantine/core';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { DemoTag } from '#web/components/demo-tag.tsx';
import { PlusIcon } from '#web/components/icons.tsx';
import { dateInWords } from '#web/components/price-words.ts';
import { useDialogs } from '#web/platform/dialogs.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './account-bar.module.css';
import { fairClockSentence, planInWords, planStateInWords } from './account-sentences.ts';
import { AccountSwitcher } from './account-switcher.tsx';
import { figure } from '../posts/post-sentence.ts';

/** The active account with its plan, and the dropdown that switches to another. */
export function AccountBar({
  accounts,
  active,
}: {
  accounts: readonly ConnectedAccount[];
  active: ConnectedAccount | undefined;
}) {
  const dialogs = useDialogs();
  return (
    <section className={styles['bar']} aria-label="Account">
      {active && (
        <>
          <div className={styles['account']}>
            <AccountSwitcher accounts={accounts} active={active} />
            <DemoTag />
          </div>
          <AccountFacts account={active} />
        </>
      )}
      <div className={styles['actions']}>
        {active && (
          <Button
            variant="default"
            onClick={() => dialogs.open({ kind: 'manage_account', account: active })}
          >
            Manage account
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<PlusIcon />}
          onClick={() => dialogs.open({ kind: 'add_account' })}
        >
          Add account
        </Button>
      </div>
    </section>
  );
}

function AccountFacts({ account }: { account: ConnectedAccount }) {
  const { platform } = useServices();
  const timeZone = platform.timeZone();
  const { nextBillingDate, subscriptionState, endsAt, followers, lastReadAt } = account;
  const dateOf = (instant: string): string => dateInWords(Date.parse(instant), timeZone);
  const planState = planStateInWords(account, dateOf);
  const fairClock = fairClockSentence(account);
  return (
    <dl className={styles['facts']}>
      <div>
        <dt>Plan</dt>
        <dd>{planInWords(account)}</dd>
      </div>
      {planState && (
        <div data-state={subscriptionState}>
          <dt>State</dt>
          <dd>{planState}</dd>
        </div>
      )}
      {nextBillingDate && endsAt === null && (
        <div>
          <dt>Next charge</dt>
          <dd>{dateOf(nextBillingDate)}</dd>
          {fairClock && <dd className={styles['note']}>{fairClock}</dd>}
        </div>
      )}
      {followers !== null && (
        <div>
          <dt>Followers</dt>
          <dd>{figure(followers)}</dd>
        </div>
      )}
      {lastReadAt && (
        <div>
          <dt>Last looked at</dt>
          <dd>{timeOfDay(lastReadAt, timeZone)}</dd>
        </div>
      )}
    </dl>
  );
}

function timeOfDay(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone }).format(
    Date.parse(instant),
  );
}
