import styles from './mark.module.css';

/** The mark: two rows of seats around the stage. Decorative; the name stands beside it. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg
      className={styles['mark']}
      width={size}
      height={size}
      viewBox="0 0 32 32"
      aria-hidden="true"
      focusable="false"
    >
      <path d="M2.5 27A13.5 13.5 0 0 1 29.5 27" pathLength="11" />
      <path d="M7.5 27A8.5 8.5 0 0 1 24.5 27" pathLength="7" />
      <circle cx="16" cy="25" r="3.4" />
    </svg>
  );
}
