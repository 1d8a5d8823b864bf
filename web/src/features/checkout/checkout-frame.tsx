import { Button } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import type { User } from '#shared/contract/user.ts';
import { CustomerBar } from '#web/components/customer-bar.tsx';
import { useCustomer } from '#web/components/customer.ts';
import { usePageTitle } from '#web/components/use-page-title.ts';
import { useClientState } from '#web/platform/services.ts';
import styles from './checkout-frame.module.css';

/** Around every checkout: bar, and the customer it is for. What is drawn inside brings its title. */
export function CheckoutFrame({ children }: { children: (user: User) => ReactNode }) {
  const user = useClientState((state) => state.user);
  return (
    <>
      <CustomerBar />
      <main id="content" tabIndex={-1} className={styles['page']} data-makes-room>
        {user ? children(user) : <ReadingUser />}
      </main>
    </>
  );
}

export function CheckoutTitle({ title = 'Secure checkout' }: { title?: string }) {
  usePageTitle(title);
  return <h1>{title}</h1>;
}

/** Without a kept user the page waits for the server's. */
function ReadingUser() {
  const { refreshUser } = useCustomer();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    void refreshUser().then(() => setHasFailed(true));
  }, [refreshUser]);
  return (
    <>
      <CheckoutTitle />
      {hasFailed ? (
        <div className={styles['note']} role="alert">
          <p>We couldn’t load your account. You were not charged.</p>
          <p>
            <Button variant="default" onClick={() => void refreshUser()}>
              Try again
            </Button>
          </p>
        </div>
      ) : (
        <p aria-live="polite">Loading your account…</p>
      )}
    </>
  );
}
