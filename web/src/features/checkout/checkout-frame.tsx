import { Button } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import type { User } from '#shared/contract/user.ts';
import { CustomerBar } from '#web/components/customer-bar.tsx';
import { useCustomer } from '#web/components/customer.ts';
import { usePageTitle } from '#web/components/use-page-title.ts';
import { useClientState } from '#web/platform/services.ts';
import styles from './checkout-frame.module.css';

/** Around every checkout: bar, title, and the customer it is for. */
export function CheckoutFrame({ children }: { children: (user: User) => ReactNode }) {
  usePageTitle('Secure checkout');
  const user = useClientState((state) => state.user);
  return (
    <>
      <CustomerBar />
      <main id="content" tabIndex={-1} className={styles['page']}>
        <h1>Secure checkout</h1>
        {user ? children(user) : <ReadingUser />}
      </main>
    </>
  );
}

/** Without a kept user the page waits for the server's. */
function ReadingUser() {
  const { refreshUser } = useCustomer();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    void refreshUser().then(() => setHasFailed(true));
  }, [refreshUser]);
  if (!hasFailed) return <p aria-live="polite">Loading your account …</p>;
  return (
    <div className={styles['note']} role="alert">
      <p>We couldn’t load your account. You were not charged.</p>
      <p>
        <Button variant="default" onClick={() => void refreshUser()}>
          Try again
        </Button>
      </p>
    </div>
  );
}
