import { Link } from 'react-router-dom';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { Mark } from './mark.tsx';
import styles from './wordmark.module.css';

/** Mark and name, leading home. */
export function Wordmark({ to }: { to: string }) {
  return (
    <Link to={to} className={styles['wordmark']}>
      <Mark />
      {PRODUCT_NAME}
    </Link>
  );
}
