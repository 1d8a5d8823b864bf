import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDialogs } from '../platform/dialogs.ts';
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
    <Modal
      opened
      onClose={close}
      title={title}
      size={size}
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close', size: 'xl' }}
    >
      <div className={styles['body']}>{children}</div>
    </Modal>
  );
}
