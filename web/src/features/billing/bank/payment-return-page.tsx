import { useContext } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { CustomerContext } from '#web/customer/customer.ts';
import { CustomerBar } from '#web/customer/page/customer-bar.tsx';
import { BankQuestion } from '#web/payments/bank/bank-step.tsx';
import { endInWords, paidForInWords, refusedInWords } from '#web/payments/bank/bank-words.ts';
import {
  askedTooOften,
  type PaymentTrouble,
  useFollowedPayment,
} from '#web/payments/bank/use-payment-state.ts';
import { refusalSentence } from '#web/payments/refusal-sentence.ts';
import { useServices } from '#web/platform/services.ts';
import { Wordmark } from '#web/ui/brand/wordmark.tsx';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';
import styles from './payment-return-page.module.css';
import { PaidReturn } from './paid-return.tsx';
import { usePageLeft } from './use-page-left.ts';

/**
 * Where the bank and the gateway's page lead back to. What they say of the payment in the address is ignored: the
 * server knows. Reloaded, opened twice or days later it says the same. In a browser where nobody is signed in,
 * such as the one that an app opened, there is nothing to do.
 */
export function PaymentReturnPage() {
  const customer = useContext(CustomerContext);
  const [asked] = useSearchParams();
  usePageTitle('Your payment');
  const paymentId = asked.get('payment') ?? '';
  if (!customer) return <SignedOut />;
  return (
    <>
      <CustomerBar />
      <main id="content" tabIndex={-1} className={styles['page']} data-makes-room>
        <h1>Your payment</h1>
        <Returned key={paymentId} paymentId={paymentId} />
      </main>
    </>
  );
}

function SignedOut() {
  const { paths } = useServices();
  const { pathname, search } = useLocation();
  return (
    <main id="content" className={styles['page']} data-makes-room>
      <Wordmark to={paths.landing} />
      <h1>Your payment</h1>
      <p>
        <Link to={paths.loginFor(pathname + search)}>Log in to see how the payment ended</Link>
      </p>
      <p className="c-soft">
        Paying in the app? You can close this page and go back there. The app shows how it ended.
      </p>
    </main>
  );
}

function Returned({ paymentId }: { paymentId: string }) {
  const { paths } = useServices();
  const payment = useFollowedPayment(paymentId);
  const { state, trouble, isGivenUp } = payment;
  if (trouble?.kind === 'unknown') {
    return (
      <Said tone="wait">
        <p>
          We can’t find this payment in your account. If you began it in the app, close this page
          and go back there.
        </p>
        <p>
          <Link to={paths.billing}>Go to billing</Link>
        </p>
      </Said>
    );
  }
  if (state?.kind === 'paid') return <PaidReturn paid={state} />;
  if (state?.kind === 'needs_action') {
    return <BankQuestion message={state.message} action={state.action} payment={payment} />;
  }
  if (state?.kind === 'declined' && !isGivenUp) {
    const { what, igUsername, code, message } = state;
    return (
      <Said tone="bad">
        <p className="font-600">{refusedInWords(what)}</p>
        {what !== 'card' && <p>{paidForInWords(what, igUsername)}</p>}
        <p>{refusalSentence(code, message)}</p>
        <WayOn />
      </Said>
    );
  }
  if (state?.kind === 'declined' || state?.kind === 'returned') {
    return (
      <Said tone="bad">
        <p>{endInWords(state, isGivenUp)}</p>
        <WayOn />
      </Said>
    );
  }
  return (
    <p className="notice" data-tone="wait" role="status">
      {trouble === undefined
        ? (state?.message ?? 'We’re checking your payment. Please do not pay again.')
        : `${waitingFor(trouble)} Please do not pay again.`}
    </p>
  );
}

const waitingFor = (trouble: PaymentTrouble): string =>
  trouble.kind === 'too_often'
    ? askedTooOften(trouble.seconds)
    : 'We can’t reach the server right now. We’ll check your payment as soon as it’s back.';

function Said({ tone, children }: { tone: 'wait' | 'bad'; children: React.ReactNode }) {
  return (
    <div className="notice grid justify-items-start gap-2" data-tone={tone} role="alert">
      {children}
    </div>
  );
}

function WayOn() {
  const { paths } = useServices();
  const page = usePageLeft();
  return (
    <p>
      <Link to={page}>{page === paths.billing ? 'Go to billing' : 'Back to the payment'}</Link>
    </p>
  );
}
