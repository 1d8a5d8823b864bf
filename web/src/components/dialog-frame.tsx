import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDialogs } from '../platform/dialogs.ts';
import { DialogHead } from './dialog-head.tsx';
import styles from './dialog-frame.module.css';

/** What every dialog stands in; the host of the dialogs gives the focus back to what opened it. */
export function DialogFrame({
  title,
  size = '30rem',
  children,
}: {
  title: string;
  size?: string;
  children: ReactNode;
}) {
  const { close } = useDialogs();
  return (
    <Modal.Root opened onClose={close} size={size} returnFocus={false}>
      <Modal.Overlay />
      <Modal.Content>
        <DialogHead title={title} />
        <Modal.Body>
          <div className={styles['body']}>{children}</div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
