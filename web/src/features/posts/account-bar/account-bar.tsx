import { OnlyFor } from '#web/customer/rights/only-for.tsx';
import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { DemoTag } from '../demo-tag.tsx';
import { PlusIcon, SettingsIcon } from '#web/ui/icons.tsx';
import { useDialogs } from '#web/customer/dialogs/dialogs.ts';
import styles from './account-bar.module.css';
import { AccountFacts } from './account-facts.tsx';
import { AccountList } from './account-list.tsx';
import { AccountSwitcher } from './account-switcher.tsx';
import type { AccountChoice } from './find-accounts.ts';

/** Room for the list of accounts beside the posts; the same width stands in the style sheets. */
const STANDING = '(min-width: 75em)';

interface AccountBarProps {
  accounts: readonly ConnectedAccount[];
  active: AccountChoice | undefined;
  onChoose: (choice: AccountChoice) => void;
}

/** The accounts and what is known of the active one: beside the posts, or above them in a dropdown. */
export function AccountBar(props: AccountBarProps) {
  const { active } = props;
  const isStanding = useMediaQuery(STANDING, false, { getInitialValueInEffect: false });
  return (
    <section className={styles['bar']} aria-label="Account">
      {isStanding ? <StandingAccounts {...props} /> : <AccountLine {...props} />}
      <div className={styles['about']}>
        {active && active !== 'all' && <AccountFacts account={active} hasRoom={isStanding} />}
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

function StandingAccounts({ accounts, active, onChoose }: AccountBarProps) {
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
      {active && <AccountList accounts={accounts} active={active} isStanding onChoose={onChoose} />}
      {active && active !== 'all' && <ManageButton account={active} />}
    </>
  );
}

function ManageButton({ account }: { account: ConnectedAccount }) {
  const dialogs = useDialogs();
  return (
    <OnlyFor action="edit">
      <Button
        className={styles['action'] ?? ''}
        variant="default"
        leftSection={<SettingsIcon />}
        onClick={() => dialogs.open({ kind: 'manage_account', account })}
      >
        Manage account
      </Button>
    </OnlyFor>
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
