import { useCallback } from 'react';
import { findLedger, findTransactions } from '#shared/contract/credits.ts';
import type { User } from '#shared/contract/user.ts';
import { CustomerPage } from '#web/components/customer-page.tsx';
import { useCustomer } from '#web/components/customer.ts';
import { useRead } from '#web/components/use-read.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import styles from './billing-page.module.css';
import { LedgerTable } from './ledger-table.tsx';
import { MoneyBacks } from './money-backs.tsx';
import { NextCharges } from './next-charges.tsx';
import { SavedCard } from './saved-card.tsx';
import { TransactionsTable } from './transactions-table.tsx';
import { Unread } from './unread.tsx';

/** The saved card, what is charged next, and every payment and credit so far (S§2). */
export function BillingPage() {
  const user = useClientState((state) => state.user);
  return (
    <CustomerPage title="Billing" isWide>
      {user ? <Sections user={user} /> : <p aria-live="polite">Reading your account …</p>}
    </CustomerPage>
  );
}

function Sections({ user }: { user: User }) {
  return (
    <>
      <div className={styles['top']}>
        <SavedCard user={user} />
        <NextCharges user={user} />
      </div>
      <MoneyBacks />
      <Transactions />
      <Ledger />
    </>
  );
}

function Transactions() {
  const { userId } = useCustomer();
  const { api } = useServices();
  const read = useCallback(() => api.call(findTransactions, { userId }), [api, userId]);
  const { data, hasFailed, again } = useRead(read);
  return (
    <section className={styles['section']} aria-labelledby="transactions-title">
      <h2 id="transactions-title">Transaction history</h2>
      {hasFailed && <Unread again={again} />}
      {!data && !hasFailed && <p aria-live="polite">Reading your payments …</p>}
      {data && <TransactionsTable transactions={data} />}
    </section>
  );
}

function Ledger() {
  const { userId } = useCustomer();
  const { api } = useServices();
  const read = useCallback(() => api.call(findLedger, { userId }), [api, userId]);
  const { data, hasFailed, again } = useRead(read);
  return (
    <section className={styles['section']} aria-labelledby="ledger-title">
      <h2 id="ledger-title">Credits</h2>
      {hasFailed && <Unread again={again} />}
      {!data && !hasFailed && <p aria-live="polite">Reading your credits …</p>}
      {data && <LedgerTable entries={data.entries} balance={data.balance} />}
    </section>
  );
}
