import { Link } from 'react-router-dom';
import styles from './link-button.module.css';

/** A link that looks like a button; pages without the component library use it too. */
export function LinkButton({
  to,
  variant = 'filled',
  children,
}: {
  to: string;
  variant?: 'filled' | 'outline';
  children: string;
}) {
  return (
    <Link to={to} className={styles[variant]}>
      {children}
    </Link>
  );
}
