import { Modal } from '@mantine/core';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { DIALOG_MS } from '#shared/domain/timings.ts';
import { DialogHead } from '#web/components/dialog-head.tsx';
import { useServices } from '#web/platform/services.ts';

/** Says that the payment went through and leads to the dashboard by itself (S§2). */
export function SuccessDialog({ isOpen }: { isOpen: boolean }) {
  const { dashboard } = useServices().paths;
  const navigate = useNavigate();
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setTimeout(() => void navigate(dashboard, { replace: true }), DIALOG_MS);
    return () => clearTimeout(timer);
  }, [isOpen, navigate, dashboard]);
  return (
    <Modal.Root opened={isOpen} onClose={() => void navigate(dashboard, { replace: true })}>
      <Modal.Overlay />
      <Modal.Content>
        <DialogHead title="Payment Successful" />
        <Modal.Body>
          <p>
            You will be redirected… if not{' '}
            <Link to={dashboard} replace>
              click here
            </Link>
          </p>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
