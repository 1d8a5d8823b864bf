import { Modal } from '@mantine/core';
import { useEffect, useId, type ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { formatCents } from '#shared/domain/money.ts';
import { DIALOG_MS } from '#shared/domain/timings.ts';
import { DialogHead } from '#web/components/dialog-head.tsx';
import { FillingRing } from '#web/components/filling-ring.tsx';
import { useServices } from '#web/platform/services.ts';
import styles from './success-dialog.module.css';

/** The moment after a payment: what was paid, what happens next, and the dashboard by itself (S§2). */
export function SuccessDialog({
  isOpen,
  amountCents,
  bought,
  children,
}: {
  isOpen: boolean;
  amountCents: number;
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
            <p className={styles['amount']}>You paid {formatCents(amountCents)}.</p>
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
