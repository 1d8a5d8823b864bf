import { Notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { TOAST_MS } from '#shared/domain/timings.ts';
import { hideErrorsOfPage } from './toast.ts';
import styles from './toasts.module.css';

/**
 * The short messages at the top right: each stays 5 s, longer while it is pointed at. The page makes
 * room for them, so that they cover nothing.
 */
export function Toasts() {
  const { pathname } = useLocation();
  const shownAt = useRef(pathname);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Not when it has only just been loaded: what waits then is of this page.
    if (shownAt.current !== pathname) hideErrorsOfPage();
    shownAt.current = pathname;
  }, [pathname]);
  useEffect(() => {
    const toasts = place.current?.querySelector('[data-position="top-right"]');
    if (toasts) return makeRoom(toasts);
  }, []);
  return (
    <div ref={place}>
      <Notifications
        className={styles['toasts'] ?? ''}
        position="top-right"
        autoClose={TOAST_MS}
        containerWidth={380}
        limit={3}
        withinPortal={false}
      />
    </div>
  );
}

/** Tells the style sheets how high all toasts together are, with their margins. */
function makeRoom(toasts: Element): () => void {
  const { documentElement: root } = document;
  const observer = new ResizeObserver(() => {
    const { height } = toasts.getBoundingClientRect();
    root.toggleAttribute('data-toasts', height > 0);
    if (height === 0) root.style.removeProperty('--ov-toasts');
    else root.style.setProperty('--ov-toasts', `calc(${height}px + 2 * var(--ov-2))`);
  });
  observer.observe(toasts);
  return () => observer.disconnect();
}
