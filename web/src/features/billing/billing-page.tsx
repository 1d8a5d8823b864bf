import type { User } from '#shared/contract/user.ts';
import { CustomerPage } from '#web/components/customer-page.tsx';
import { useCustomer } from '#web/components/customer.ts';
import { useLocal } from '#web/components/use-local.ts';
import { listLocalLedger, listLocalTransactions } from '#web/local-db/local-money.ts';
import { useClientState } from '#web/platform/services.ts';
import styles from './billing-page.module.css';
import { LedgerTable } from './ledger-table.tsx';
import { MoneyBacks } from './money-backs.tsx';
import { NextCharges } from './next-charges.tsx';
import { PaymentReturns } from './payment-returns.tsx';
import { SavedCard } from './saved-card.tsx';
import { TransactionsTable } from './transactions-table.tsx';
import { NotYet } from './not-yet.tsx';

/** The saved card, what is charged next, and every payment and credit so far (S§2). */
export function BillingPage() {
  const user = useClientState((state) => state.user);
  return (
    <CustomerPage title="Billing" isWide>
      {user ? <Sections user={user} /> : <p aria-live="polite">Loading your account…</p>}
    </CustomerPage>
  );
}

function Sections({ user }: { user: User }) {
  return (
    <>
      <div className={styles['top']}>
        <SavedCard user={user} />
        <NextCharges />
      </div>
      <MoneyBacks />
      <PaymentReturns />
      <Books credits={user.credits} />
    </>
  );
}

/** Payments and credits, read together: a section that came later would push the other one down. */
function Books({ credits }: { credits: number }) {
  const { db } = useCustomer();
  const books = useLocal(
    async () => ({
      transactions: await listLocalTransactions(db),
      entries: await listLocalLedger(db),
    }),
    [db],
  );
  if (!books?.transactions) return <NotYet>Loading your payments…</NotYet>;
  const { transactions, entries } = books;
  return (
    <>
      <section className={styles['section']} aria-labelledby="transactions-title">
        <h2 id="transactions-title">Transaction history</h2>
        <TransactionsTable transactions={transactions} />
      </section>
      <section className={styles['section']} aria-labelledby="ledger-title">
        <h2 id="ledger-title">Credits</h2>
        {entries ? (
          <LedgerTable entries={entries} balance={credits} />
        ) : (
          <NotYet>Loading your credits…</NotYet>
        )}
      </section>
    </>
  );
}
