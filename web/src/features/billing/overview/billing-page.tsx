import { type Budgets, findBudgets } from '#shared/contract/money/budget.ts';
import type { User } from '#shared/contract/people/user.ts';
import { CustomerPage } from '#web/customer/page/customer-page.tsx';
import { useCustomer } from '#web/customer/customer.ts';
import { MissesNetwork } from '#web/customer/needs-network.tsx';
import { onlySentence, useMay } from '#web/customer/rights/use-may.ts';
import { Notice } from '#web/ui/page/notice.tsx';
import { useLocal } from '#web/customer/use-local.ts';
import { readLocal } from '#web/replica/store/local-database.ts';
import { listWhole } from '#web/replica/store/read-rows.ts';
import { useClientState, useServices } from '#web/platform/services.ts';
import { BillingSection } from '../billing-section.tsx';
import styles from './billing-page.module.css';
import { LedgerTable } from './ledger-table.tsx';
import { MoneyBacks } from './money-backs.tsx';
import { PaymentReturns } from './payment-returns.tsx';
import { SavedCardSection } from './saved-card.tsx';
import { TransactionsTable } from './transactions-table.tsx';
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import { useReachable } from '#web/customer/use-reachable.ts';
import { Unread } from './unread.tsx';
import { useDocuments, useDownload } from './use-documents.ts';
import { useRead } from '#web/customer/use-read.ts';
import { dateInWords } from '#web/ui/words/dates.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { nextChargeOf } from '#web/payments/plan/next-charge.ts';

/** So many are listed; all of them stand in the table of subscriptions. */
const LISTED_LIMIT = 12;

const OtherDocuments = lazy(async () => {
  const { OtherDocuments: Others } = await import('./other-documents.tsx');
  return { default: Others };
});

const BudgetBanner = lazy(async () => {
  const { BudgetBanner: Banner } = await import('./budget-section.tsx');
  return { default: Banner };
});
const BudgetSection = lazy(async () => {
  const { BudgetSection: Section } = await import('./budget-section.tsx');
  return { default: Section };
});

/** The saved card, what is charged next, and every payment and credit so far (S§2). */
export function BillingPage() {
  const user = useClientState((state) => state.user);
  return (
    <CustomerPage title="Billing" isWide>
      {user ? <Allowed user={user} /> : <p aria-live="polite">Loading your account…</p>}
    </CustomerPage>
  );
}

function Allowed({ user }: { user: User }) {
  if (useMay('readMoney')) return <Sections user={user} />;
  return <Notice>{onlySentence('readMoney', 'see payments')}</Notice>;
}

function Sections({ user }: { user: User }) {
  const { month, setSaved } = useBudgets();
  return (
    <>
      <LazyWaitingForYou />
      {month && (
        <Suspense>
          <BudgetBanner month={month} />
        </Suspense>
      )}
      <div className={styles['top']}>
        <SavedCardSection user={user} />
        <NextCharges />
      </div>
      <MoneyBacks />
      <PaymentReturns />
      <Books credits={user.credits} />
      {/* Last: it comes when the server has answered, and moves nothing. */}
      {month && (
        <Suspense>
          <BudgetSection month={month} onSaved={setSaved} />
        </Suspense>
      )}
    </>
  );
}

/** Asked of the server when the page opens; while it is away nothing is said of budgets. */
function useBudgets() {
  const { userId } = useCustomer();
  const { api } = useServices();
  const read = useCallback(() => api.call(findBudgets, { userId }), [api, userId]);
  const { data } = useRead(read);
  const [saved, setSaved] = useState<Budgets>();
  return { month: saved ?? data, setSaved };
}

/** Payments and credits, read together: a section that came later would push the other one down. */
function Books({ credits }: { credits: number }) {
  const { db } = useCustomer();
  const books = useLocal(
    () =>
      readLocal(db, async (store) => ({
        transactions: await listWhole(store, 'transaction'),
        entries: await listWhole(store, 'ledger'),
      })),
    [db],
  );
  const downloads = useDownload();
  const documents = useDocuments(books?.transactions?.length ?? 0);
  const isReachable = useReachable();
  const areInvoicesAway = !documents && !isReachable;
  if (!books?.transactions) return <NotYet>Loading your payments…</NotYet>;
  const { transactions, entries } = books;
  return (
    <>
      <BillingSection name="transactions" title="Transaction history">
        <TransactionsTable
          transactions={transactions}
          documents={areInvoicesAway ? null : documents?.documents}
          downloads={downloads}
        />
      </BillingSection>
      <BillingSection name="ledger" title="Credits">
        {entries ? (
          <LedgerTable entries={entries} balance={credits} />
        ) : (
          <NotYet>Loading your credits…</NotYet>
        )}
      </BillingSection>
      {/* Last: it comes when the server has answered, and moves nothing. */}
      {(documents ?? areInvoicesAway) && (
        <BillingSection name="documents" title="Invoices">
          {documents ? (
            <Suspense fallback={null}>
              <OtherDocuments {...documents} {...downloads} />
            </Suspense>
          ) : (
            <MissesNetwork what="An invoice" />
          )}
        </BillingSection>
      )}
    </>
  );
}

/** In place of rows this device has never had. */
function NotYet({ children }: { children: ReactNode }) {
  const { sync } = useCustomer();
  if (!useReachable()) return <Unread again={sync.wake} />;
  return <p aria-live="polite">{children}</p>;
}

/** What is charged when, per account. */
function NextCharges() {
  const { platform } = useServices();
  const accounts = useClientState((state) => state.connectedAccounts);
  const charges = accounts
    .flatMap((account) => {
      const charge = nextChargeOf(account);
      if (!charge) return [];
      const day = dateInWords(charge.atMs, account.timeZone ?? platform.timeZone());
      return [{ ...charge, igUsername: account.igUsername, day }];
    })
    .sort((a, b) => a.atMs - b.atMs);
  const more = charges.length - LISTED_LIMIT;
  return (
    <BillingSection name="charges" title="Next charges">
      {charges.length === 0 && <p className="c-soft">Nothing will be charged.</p>}
      <ul>
        {charges.slice(0, LISTED_LIMIT).map(({ igUsername, cents, day }) => (
          <li className={styles['line']} key={igUsername}>
            <span>@{igUsername}</span>
            <span>
              <strong>{formatCents(cents)}</strong> on {day}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="c-soft">and {more.toLocaleString('en-US')} more later</p>}
    </BillingSection>
  );
}

const WaitingForYou = lazy(async () => {
  const { WaitingForYou: Waiting } = await import('../bank/waiting-for-you.tsx');
  return { default: Waiting };
});

/** Read once the page stands. */
function LazyWaitingForYou() {
  return (
    <Suspense>
      <WaitingForYou />
    </Suspense>
  );
}
