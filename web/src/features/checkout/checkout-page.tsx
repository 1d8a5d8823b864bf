import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { findPlan } from '#shared/domain/plans.ts';
import { CustomerBar } from '#web/components/customer-bar.tsx';
import { useCustomer } from '#web/components/customer.ts';
import { dateInWords } from '#web/components/price-words.ts';
import { usePageTitle } from '#web/components/use-page-title.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { CheckoutForm } from './checkout-form.tsx';
import styles from './checkout-page.module.css';
import { SuccessDialog } from './success-dialog.tsx';

/** The checkout of the customer's own account (S§2). */
export function CheckoutPage() {
  usePageTitle('Secure checkout');
  const user = useClientState((state) => state.user);
  const [isPaid, setIsPaid] = useState(false);
  const account = user?.connectedAccounts.find((one) => one.igUsername === user.defaultIgUsername);
  const hasPlan = account !== undefined && isSubscribed(account);
  return (
    <>
      <CustomerBar />
      <main className={styles['page']}>
        <h1>Secure checkout</h1>
        {user && hasPlan && !isPaid && <AlreadyPaid account={account} />}
        {user && (!hasPlan || isPaid) && (
          <CheckoutForm user={user} onPaid={() => setIsPaid(true)} isPaid={isPaid} />
        )}
        {!user && <ReadingUser />}
      </main>
      <SuccessDialog isOpen={isPaid} />
    </>
  );
}

function isSubscribed(account: ConnectedAccount): boolean {
  const state = account.subscriptionState;
  return state === 'Active' || state === 'Paused' || state === 'Past due';
}

/** Without a kept user the page waits for the server's. */
function ReadingUser() {
  const { refreshUser } = useCustomer();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    void refreshUser().then(() => setHasFailed(true));
  }, [refreshUser]);
  if (!hasFailed) return <p aria-live="polite">Reading your account …</p>;
  return (
    <div className={styles['paid']} role="alert">
      <p>Your account could not be read. Nothing was charged.</p>
      <p>
        <Button variant="default" onClick={() => void refreshUser()}>
          Try again
        </Button>
      </p>
    </div>
  );
}

/** An account that is paid already is never charged a second time from here. */
function AlreadyPaid({ account }: { account: ConnectedAccount }) {
  const { paths, platform } = useServices();
  const plan = findPlan(account.accountPackageId ?? 0);
  const next = account.nextBillingDate;
  return (
    <div className={styles['paid']}>
      <p>
        @{account.igUsername} already has a plan{plan && ` with ${plan.description} likes per post`}
        {next && `, charged next on ${dateInWords(Date.parse(next), platform.timeZone())}`}. There
        is nothing to pay here.
      </p>
      <p>
        <Link to={paths.dashboard}>Go to the dashboard</Link>
      </p>
    </div>
  );
}
