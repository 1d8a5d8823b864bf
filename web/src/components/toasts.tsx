import { Notifications } from '@mantine/notifications';
import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { TOAST_MS } from '#shared/domain/timings.ts';
import styles from './toasts.module.css';

/** The short messages at the top right: each stays 5 s, longer while it is pointed at. */
export function Toasts() {
  return (
    <Notifications
      className={styles['toasts'] ?? ''}
      position="top-right"
      autoClose={TOAST_MS}
      containerWidth={380}
    />
  );
}
