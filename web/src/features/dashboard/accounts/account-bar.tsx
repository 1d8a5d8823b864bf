import { Menu, UnstyledButton } from '@mantine/core';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { DemoTag } from '#web/components/demo-tag.tsx';
import { ChevronDownIcon } from '#web/components/icons.tsx';
import { dateInWords } from '#web/components/price-words.ts';
import { ProxyImage } from '#web/components/proxy-image.tsx';
import { activeAccountOf } from '#web/platform/client-state.ts';
import { useServices } from '#web/platform/services.ts';
import styles from './account-bar.module.css';
import { planInWords } from './account-sentences.ts';
import { figure } from '../posts/post-sentence.ts';

/** The active account with its plan, and the dropdown that switches to another. */
export function AccountBar({
  accounts,
  active,
}: {
  accounts: readonly ConnectedAccount[];
  active: ConnectedAccount | undefined;
}) {
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
    </section>
  );
}

function AccountSwitcher({
  accounts,
  active,
}: {
  accounts: readonly ConnectedAccount[];
  active: ConnectedAccount;
}) {
  const { state } = useServices();
  return (
    <Menu position="bottom-start" width="target">
      <Menu.Target>
        <UnstyledButton
          className={styles['switcher']}
          aria-label={`Active account @${active.igUsername}, switch account`}
        >
          <span className={styles['avatar']}>
            <ProxyImage path={active.profilePic} alt="" width={160} isEager />
          </span>
          <span className={styles['name']}>@{active.igUsername}</span>
          <ChevronDownIcon />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Accounts</Menu.Label>
        {accounts.map((account) => (
          <Menu.RadioItem
            key={account.igUsername}
            value={account.igUsername}
            checked={account.igUsername === active.igUsername}
            closeMenuOnClick
            onChange={() => state.setState({ activeAccount: activeAccountOf(account) })}
          >
            @{account.igUsername}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function AccountFacts({ account }: { account: ConnectedAccount }) {
  const { platform } = useServices();
  const timeZone = platform.timeZone();
  const { nextBillingDate, subscriptionState, followers, lastReadAt } = account;
  return (
    <dl className={styles['facts']}>
      <div>
        <dt>Plan</dt>
        <dd>{planInWords(account)}</dd>
      </div>
      {subscriptionState && (
        <div data-state={subscriptionState}>
          <dt>State</dt>
          <dd>{subscriptionState}</dd>
        </div>
      )}
      {nextBillingDate && (
        <div>
          <dt>Next charge</dt>
          <dd>{dateInWords(Date.parse(nextBillingDate), timeZone)}</dd>
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
