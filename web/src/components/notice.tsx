import type { ReactNode } from 'react';
import styles from './notice.module.css';

/** A sentence about the page that a person should see before going on. */
export function Notice({
  tone = 'info',
  children,
}: {
  tone?: 'info' | 'wait' | 'bad';
  children: ReactNode;
}) {
  return (
    <div className={styles['notice']} data-tone={tone} role={tone === 'info' ? 'status' : 'alert'}>
      {children}
    </div>
  );
}
