import type { ReactNode } from 'react';
import { CustomerBar } from './customer-bar.tsx';
import styles from './customer-page.module.css';
import { StaleNotice } from './stale-notice.tsx';
import { usePageTitle } from '#web/ui/page/use-page-title.ts';

/** The frame of a customer's page that is more text and tables than pictures. */
export function CustomerPage({
  title,
  actions,
  isWide = false,
  children,
}: {
  title: string;
  /** What stands beside the title. */
  actions?: ReactNode;
  /** Tables take more room than text. */
  isWide?: boolean;
  children: ReactNode;
}) {
  usePageTitle(title);
  return (
    <>
      <CustomerBar />
      <main className={styles['page']} data-wide={isWide || undefined} data-makes-room>
        <header className={styles['head']}>
          <h1>{title}</h1>
          {actions}
        </header>
        <StaleNotice />
        {children}
      </main>
    </>
  );
}
