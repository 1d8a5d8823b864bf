import { Menu, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useClientState, useServices } from '../platform/services.ts';
import { ColorSchemeItems } from './color-scheme-items.tsx';
import styles from './customer-bar.module.css';
import { useCustomer } from './customer.ts';
import { ChevronDownIcon } from './icons.tsx';
import { toastError } from './toast.ts';
import { Wordmark } from './wordmark.tsx';

/** The top navigation of a customer: home, credits, and the menu with the way out. */
export function CustomerBar() {
  const { paths } = useServices();
  const user = useClientState((state) => state.user);
  return (
    <header className={styles['bar']}>
      <Wordmark to={user?.inSubscription ? paths.dashboard : paths.subscription} />
      <nav className={styles['nav']} aria-label="Main">
        {user && (
          <span className={styles['credits']}>
            <strong>{user.credits.toLocaleString('en-US')}</strong> credits
          </span>
        )}
        <CustomerMenu name={user?.name} email={user?.email} />
      </nav>
    </header>
  );
}

function CustomerMenu({ name, email }: { name: string | undefined; email: string | undefined }) {
  const customer = useCustomer();
  const [isLeaving, setIsLeaving] = useState(false);

  const leave = async (): Promise<void> => {
    setIsLeaving(true);
    if (await customer.logOut()) return;
    setIsLeaving(false);
    toastError('The server could not be reached, so you are still logged in. Please try again.');
  };

  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <UnstyledButton
          className={styles['menuButton']}
          aria-label={name ? `Menu of ${name}` : 'Menu'}
        >
          <span className={styles['name']}>{name ?? 'Menu'}</span>
          <ChevronDownIcon />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {email && <Menu.Label className={styles['email'] ?? ''}>{email}</Menu.Label>}
        <ColorSchemeItems />
        <Menu.Divider />
        <Menu.Item disabled={isLeaving} onClick={() => void leave()}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
