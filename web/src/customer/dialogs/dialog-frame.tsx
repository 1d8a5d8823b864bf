import { Modal } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { useDialogs } from './dialogs.ts';
import { DialogHead } from '#web/ui/dialog/dialog-head.tsx';

/**
 * What every dialog stands in; the host of the dialogs gives the focus back to what opened it.
 * @param onClose for one that a page has opened by itself
 */
export function DialogFrame({
  title,
  size = '30rem',
  onClose,
  children,
}: {
  title: string;
  size?: string;
  onClose?: () => void;
  children: ReactNode;
}) {
  const { close } = useDialogs();
  useFocusBack(onClose !== undefined);
  return (
    <Modal.Root opened onClose={onClose ?? close} size={size} returnFocus={false}>
      <Modal.Overlay />
      <Modal.Content>
        <DialogHead title={title} />
        <Modal.Body onKeyDown={leaveDateToBrowser}>
          <div className="grid grid-cols-1 gap-4 min-w-0">{children}</div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/**
 * Out of a date's parts the browser goes by itself. The focus trap would look a moment later whether it went to the
 * next control, and take the focus of whoever has pressed Tab twice back to it: under their Enter.
 */
function leaveDateToBrowser(event: KeyboardEvent): void {
  const { target } = event;
  const isDate = target instanceof HTMLInputElement && target.type === 'date';
  if (isDate && event.key === 'Tab') event.stopPropagation();
}

/** What a page has opened by itself is gone at once when it is closed: its own return of the focus never comes to it. */
function useFocusBack(isOwn: boolean): void {
  const opener = useRef(document.activeElement);
  useEffect(() => {
    if (!isOwn) return undefined;
    const element = opener.current;
    return () => {
      // After the dialog's own focus trap has let go.
      requestAnimationFrame(() => {
        if (element instanceof HTMLElement && element.isConnected) element.focus();
      });
    };
  }, [isOwn]);
}
