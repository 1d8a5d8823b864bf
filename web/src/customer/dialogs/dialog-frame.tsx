import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { useDialogs } from './dialogs.ts';
import { DialogHead } from '#web/ui/dialog/dialog-head.tsx';

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
          <div className="grid grid-cols-1 gap-4 min-w-0">{children}</div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
