import { notifications } from '@mantine/notifications';

/** The short messages at the top right (S§8). */
export function toastSuccess(message: string): void {
  notifications.show({ message, color: 'var(--ov-good)' });
}

export function toastError(message: string): void {
  notifications.show({ message, color: 'var(--ov-bad)', role: 'alert' });
}
