import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { WaitingPayment } from '#shared/contract/money/payment.ts';
import { paidForInWords } from '#web/payments/bank/bank-words.ts';
import { useWaitingPayments } from '#web/payments/bank/use-waiting-payments.ts';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { Waiting } from './waiting-for-you.tsx';
import styles from './waiting-notice.module.css';

/** What waits for the customer, on a page that sells something. */
interface WaitingHere {
  /** In place of the page's own form, or above it: what waits, once the person wants to see it. */
  opened: ReactNode;
  /** A line that leads there. It comes late, so it stands where it pushes nothing away: in each of these at its widths. */
  besideForm: ReactNode;
  byButton: ReactNode;
  again: () => void;
}

export function useWaitingNotice(): WaitingHere {
  const { payments, again } = useWaitingPayments();
  const [isOpen, setIsOpen] = useState(false);
  const line = (className: string | undefined): ReactNode =>
    payments.length > 0 &&
    !isOpen && (
      <p className={`notice ${className}`} data-tone="wait" role="status">
        {inWords(payments)}{' '}
        <button type="button" className={styles['open']} onClick={() => setIsOpen(true)}>
          See what’s waiting
        </button>
      </p>
    );
  return {
    opened: isOpen && <Opened payments={payments} again={again} />,
    besideForm: line(styles['besideForm']),
    byButton: line(styles['byButton']),
    again,
  };
}

function inWords([first, ...others]: readonly WaitingPayment[]): string {
  if (!first || others.length > 0) return `${others.length + 1} payments aren’t finished.`;
  const { what, igUsername, amount } = first;
  const price = amount > 0 ? `, ${dollarsInWords(amount)}` : '';
  return `Not finished yet: ${paidForInWords(what, igUsername)}${price}.`;
}

/** The press was somewhere below. */
function Opened(props: { payments: readonly WaitingPayment[]; again: () => void }) {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current?.focus(), []);
  return (
    <div ref={top} tabIndex={-1} className={styles['opened']}>
      <Waiting {...props} />
    </div>
  );
}
