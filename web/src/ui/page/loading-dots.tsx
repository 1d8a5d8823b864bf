import styles from './loading-dots.module.css';

export function LoadingDots() {
  return (
    <span className={styles['dots']} aria-hidden="true">
      <span />
      <span />
      <span />
    </span>
  );
}
