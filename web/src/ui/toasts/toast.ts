import { notifications, notificationsStore } from '@mantine/notifications';

/** The short messages at the top right (S§8); `Toasts` shows them, once it has been loaded. */
export function toastSuccess(message: string): void {
  notifications.show({ message, color: 'var(--ov-good)', 'data-toast': 'good' });
}

export function toastError(message: string): void {
  notifications.show(errorToast(message));
}

/** An error that is read on the page one is sent to because of it. */
export function toastErrorAhead(message: string): void {
  notifications.show({ ...errorToast(message), 'data-is-ahead': true });
}

const errorToast = (message: string) => ({
  message,
  color: 'var(--ov-bad)',
  role: 'alert',
  'data-toast': 'bad',
});

/** Takes away what is still shown, for when something new begins that it says nothing about. */
export function hideToasts(): void {
  notifications.clean();
}

/** On the next page an error of the one before says nothing true any more; a success still does. */
export function hideErrorsOfPage(): void {
  const { notifications: shown, queue } = notificationsStore.getState();
  for (const toast of [...shown, ...queue]) {
    const isOfPage = toast['data-toast'] === 'bad' && toast['data-is-ahead'] !== true;
    if (isOfPage && toast.id !== undefined) notifications.hide(toast.id);
  }
}
