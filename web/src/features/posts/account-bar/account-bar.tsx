import { OnlyFor } from '#web/customer/rights/only-for.tsx';
import { userMayWith } from '#web/customer/rights/user-may.ts';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { DemoTag } from '../demo-tag.tsx';
import { PlusIcon, SettingsIcon } from '#web/ui/icons.tsx';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import styles from './account-bar.module.css';
import { AccountList } from './account-list.tsx';
import { AccountSwitcher } from './account-switcher.tsx';
import type { AccountChoice } from './find-accounts.ts';
import { dateInWords } from '#web/ui/words/dates.ts';
import { plannedChangeOf, plannedSentence } from '#web/payments/plan/plan-change-words.ts';
import { zoneTime } from '#shared/domain/time-zone.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { figure } from '#web/ui/words/figures.ts';
import { serviceCreditSentence, planInWords, planStateInWords } from './account-sentences.ts';

/** Room for the list of accounts beside the posts; the same width stands in the style sheets. */
const COLUMN_ROOM = '(min-width: 75em)';

interface AccountBarProps {
  accounts: readonly ConnectedAccount[];
  active: AccountChoice | undefined;
  onChoose: (choice: AccountChoice) => void;
}

/** The accounts and what is known of the active one: beside the posts, or above them in a dropdown. */
export function AccountBar(props: AccountBarProps) {
  const { active } = props;
  const isColumn = useMediaQuery(COLUMN_ROOM, false, { getInitialValueInEffect: false });
  return (
    <section className={styles['bar']} aria-label="Account">
      {isColumn ? <AccountColumn {...props} /> : <AccountLine {...props} />}
      <div className={styles['about']}>
        {active && active !== 'all' && <AccountFacts account={active} hasRoom={isColumn} />}
        <DemoTag />
      </div>
    </section>
  );
}

function AccountLine({ accounts, active, onChoose }: AccountBarProps) {
  return (
    <div className={styles['line']}>
      {active && <AccountSwitcher accounts={accounts} active={active} onChoose={onChoose} />}
      <span className={styles['actions']}>
        {active && active !== 'all' && <ManageButton account={active} />}
        <AddButton />
      </span>
    </div>
  );
}

function AccountColumn({ accounts, active, onChoose }: AccountBarProps) {
  return (
    <>
      <div className={styles['title']}>
        <h2 className="text-3">
          Accounts{' '}
          {accounts.length > 0 && (
            <span className={styles['count']}>{accounts.length.toLocaleString('en-US')}</span>
          )}
        </h2>
        <AddButton />
      </div>
      {active && <AccountList accounts={accounts} active={active} isColumn onChoose={onChoose} />}
      {active && active !== 'all' && <ManageButton account={active} />}
    </>
  );
}

function ManageButton({ account }: { account: ConnectedAccount }) {
  const dialogs = useDialogs();
  const mayEdit = useClientState(({ user }) => userMayWith(user, 'edit', account));
  if (!mayEdit) return null;
  return (
    <Button
      className={styles['action'] ?? ''}
      variant="default"
      leftSection={<SettingsIcon />}
      onClick={() => dialogs.open({ kind: 'manage_account', account })}
    >
      Manage account
    </Button>
  );
}

function AddButton() {
  const dialogs = useDialogs();
  return (
    <OnlyFor action="connect">
      <Button
        className={styles['action'] ?? ''}
        variant="default"
        leftSection={<PlusIcon />}
        onClick={() => dialogs.open({ kind: 'add_account' })}
      >
        Add account
      </Button>
    </OnlyFor>
  );
}

interface AccountFactsProps {
  account: ConnectedAccount;
  /** There is room also for what is as usual, and for the next charge in full: a strip tells it in short. */
  hasRoom: boolean;
}

/** The plan of the active account, and its next charge. */
function AccountFacts({ account, hasRoom }: AccountFactsProps) {
  const { platform } = useServices();
  const timeZone = account.timeZone ?? platform.timeZone();
  const { nextBillingDate, subscriptionState, endsAt, followers } = account;
  const dateOf = (instant: string): string => dateInWords(Date.parse(instant), timeZone);
  const planState = planStateInWords(account, dateOf);
  const planned = plannedChangeOf(account);
  const serviceCredit = serviceCreditSentence(account);
  return (
    <dl className={styles['facts']}>
      <div>
        <dt className="c-soft">Plan</dt>
        <dd>{planInWords(account)}</dd>
        {planned && <dd className={styles['note']}>{plannedSentence(planned, timeZone)}</dd>}
      </div>
      {planState && (hasRoom || planState !== 'Active') && (
        <div data-state={subscriptionState}>
          <dt className="c-soft">Status</dt>
          <dd>{planState}</dd>
        </div>
      )}
      {hasRoom && nextBillingDate && endsAt === null && (
        <div>
          <dt className="c-soft">Next charge</dt>
          <dd>
            {dateOf(nextBillingDate)}, {zoneTime(timeZone)}
          </dd>
          {serviceCredit && <dd className={styles['note']}>{serviceCredit}</dd>}
        </div>
      )}
      {followers !== null && (
        <div>
          <dt className="c-soft">Followers</dt>
          <dd>{figure(followers)}</dd>
        </div>
      )}
    </dl>
  );
}
