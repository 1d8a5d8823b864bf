import { notifications } from '@mantine/notifications';

/** The short messages at the top right (S§8); `Toasts` shows them, once it has been loaded. */
export function toastSuccess(message: string): void {
  notifications.show({ message, color: 'var(--ov-good)', 'data-toast': 'good' });
}

export function toastError(message: string): void {
  notifications.show({ message, color: 'var(--ov-bad)', role: 'alert', 'data-toast': 'bad' });
}

/** Takes away what is still shown, for when something new begins that it says nothing about. */
export function hideToasts(): void {
  notifications.clean();
}
