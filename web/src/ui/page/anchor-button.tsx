import type { ReactNode } from 'react';
import styles from './link-button.module.css';

/** A plain link that looks like a button, for pages that do without the router. */
export function AnchorButton({
  href,
  variant = 'filled',
  children,
}: {
  href: string;
  variant?: 'filled' | 'outline';
  children: ReactNode;
}) {
  return (
    <a href={href} className={styles[variant]}>
      {children}
    </a>
  );
}
