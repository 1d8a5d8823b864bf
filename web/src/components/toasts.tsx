import { Notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { TOAST_MS } from '#shared/domain/timings.ts';
import { hideErrorsOfPage } from './toast.ts';
import styles from './toasts.module.css';

/** The short messages at the top right: each stays 5 s, longer while it is pointed at. */
export function Toasts() {
  const { pathname } = useLocation();
  const shownAt = useRef(pathname);
  useEffect(() => {
    // Not when it has only just been loaded: what waits then is of this page.
    if (shownAt.current !== pathname) hideErrorsOfPage();
    shownAt.current = pathname;
  }, [pathname]);
  return (
    <Notifications
      className={styles['toasts'] ?? ''}
      position="top-right"
      autoClose={TOAST_MS}
      containerWidth={380}
    />
  );
}
