import { Modal } from '@mantine/core';
import { useEffect, useId, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { formatCents } from '#shared/domain/money/money.ts';
import type { Plan } from '#shared/domain/money/plans.ts';
import { DIALOG_MS } from '#shared/domain/timings.ts';
import { firstLikeSteps } from '#web/customer/first-like.ts';
import { FirstLikeSteps } from '#web/customer/first-like-steps.tsx';
import { DialogHead } from '#web/ui/dialog/dialog-head.tsx';
import { FillingRing } from '#web/ui/brand/filling-ring.tsx';
import { useServices } from '#web/platform/services.ts';
import styles from './success-dialog.module.css';

interface Paid {
  isOpen: boolean;
  amountCents: number;
}

/** The moment after a payment: what was paid, what happens next, and the dashboard by itself (S§2). */
function SuccessDialog({
  isOpen,
  amountCents,
  bought,
  children,
}: Paid & {
  /** What stands in the ring: how many of what. */
  bought: readonly [count: string, of: string];
  /** What happens next. */
  children: ReactNode;
}) {
  const { dashboard } = useServices().paths;
  const navigate = useNavigate();
  const said = useId();
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setTimeout(() => void navigate(dashboard, { replace: true }), DIALOG_MS);
    return () => clearTimeout(timer);
  }, [isOpen, navigate, dashboard]);
  return (
    <Modal.Root
      opened={isOpen}
      onClose={() => void navigate(dashboard, { replace: true })}
      size="26rem"
      centered
      radius="md"
    >
      <Modal.Overlay />
      <Modal.Content aria-describedby={said}>
        <DialogHead title="Payment Successful" />
        <Modal.Body>
          <div id={said} className={styles['said']}>
            <div className={styles['ring']}>
              <svg viewBox="0 0 100 100" aria-hidden="true" focusable="false">
                <FillingRing />
              </svg>
              <p>
                <strong>{bought[0]}</strong> {bought[1]}
              </p>
            </div>
            <p className="font-display text-3">You paid {formatCents(amountCents)}.</p>
            {children}
            <p className={styles['leads']}>
              You will be redirected… if not{' '}
              <Link to={dashboard} replace data-autofocus>
                click here
              </Link>
            </p>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** A plan was paid, at its checkout or after the bank led back. */
export function PlanPaid({ plan, igUsername, ...paid }: Paid & { plan: Plan; igUsername: string }) {
  return (
    <SuccessDialog {...paid} bought={[plan.description, 'likes per post']}>
      <FirstLikeSteps steps={firstLikeSteps(plan, igUsername, [])} />
    </SuccessDialog>
  );
}

/** Credits were paid, in the same two ways. */
export function CreditsPaid({
  bought,
  credits,
  ...paid
}: Paid & {
  bought: number;
  /** All that the customer has now. */
  credits: number;
}) {
  return (
    <SuccessDialog {...paid} bought={[bought.toLocaleString('en-US'), 'credits']}>
      <p>
        You have {credits.toLocaleString('en-US')} credits now. Press “Extra likes” on any post to
        use them.
      </p>
    </SuccessDialog>
  );
}
