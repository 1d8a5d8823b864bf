import { Button } from '@mantine/core';
import { useEffect, useState, type ReactNode } from 'react';
import type { User } from '#shared/contract/people/user.ts';
import { BudgetNotice } from '#web/customer/alerts/budget-notice.tsx';
import { CustomerBar } from '#web/customer/page/customer-bar.tsx';
import { onlySentence, useMay } from '#web/customer/rights/use-may.ts';
import { Notice } from '#web/ui/page/notice.tsx';
import { useCustomer } from '#web/customer/customer.ts';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import { useClientState } from '#web/platform/services.ts';
import styles from './checkout-frame.module.css';

/** What every checkout is called, but that of an account which is paid already. */
export const SECURE_CHECKOUT = 'Secure checkout';

/** Around every checkout: bar, title, and the customer it is for. */
export function CheckoutFrame({
  children,
}: {
  children: (user: User, setTitle: (title: string) => void) => ReactNode;
}) {
  const user = useClientState((state) => state.user);
  const [title, setTitle] = useState(SECURE_CHECKOUT);
  usePageTitle(title);
  const mayPay = useMay('spend');
  return (
    <>
      <CustomerBar />
      <main id="content" tabIndex={-1} className={styles['page']} data-makes-room>
        <h1>{title}</h1>
        {!mayPay && <Notice>{onlySentence('spend', 'buy plans and credits')}</Notice>}
        <BudgetNotice />
        {mayPay && (user ? children(user, setTitle) : <ReadingUser />)}
      </main>
    </>
  );
}

/** Without a kept user the page waits for the server's. */
function ReadingUser() {
  const { refresh } = useCustomer();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    void refresh().then(() => setHasFailed(true));
  }, [refresh]);
  return hasFailed ? (
    <div className={styles['note']} role="alert">
      <p>We couldn’t load your account. You were not charged.</p>
      <p>
        <Button variant="default" onClick={() => void refresh()}>
          Try again
        </Button>
      </p>
    </div>
  ) : (
    <p aria-live="polite">Loading your account…</p>
  );
}
