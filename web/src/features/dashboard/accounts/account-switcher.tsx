import { Popover, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { ChevronDownIcon } from '#web/components/icons.tsx';
import { ProxyImage } from '#web/components/proxy-image.tsx';
import { useSwitchAccount } from '#web/components/use-switch-account.ts';
import styles from './account-bar.module.css';
import { AccountList } from './account-list.tsx';

/** The active account as a button that opens the list of all. */
export function AccountSwitcher({
  accounts,
  active,
}: {
  accounts: readonly ConnectedAccount[];
  active: ConnectedAccount;
}) {
  const switchAccount = useSwitchAccount();
  const [isOpen, setIsOpen] = useState(false);
  const choose = (account: ConnectedAccount): void => {
    setIsOpen(false);
    switchAccount(account);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-start"
      width="target"
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <UnstyledButton
          className={styles['switcher']}
          aria-label={`Active account @${active.igUsername}, switch account`}
          onClick={() => setIsOpen((wasOpen) => !wasOpen)}
        >
          <span className={styles['avatar']}>
            <ProxyImage path={active.profilePic} alt="" width={160} isEager />
          </span>
          <span className={styles['name']}>@{active.igUsername}</span>
          <ChevronDownIcon />
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label="Accounts">
        <AccountList accounts={accounts} active={active} onChoose={choose} />
      </Popover.Dropdown>
    </Popover>
  );
}
