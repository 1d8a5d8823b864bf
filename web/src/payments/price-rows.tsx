import styles from './price-rows.module.css';

/** One line of a price: what it is, and how much or when. */
export interface PriceRow {
  label: string;
  value: string;
  /** The line that counts: what is paid now. */
  isTotal?: boolean;
}

/** Amounts and dates under each other, the total last and largest. */
export function PriceRows({ rows }: { rows: readonly PriceRow[] }) {
  return (
    <dl className={styles['rows']}>
      {rows.map(({ label, value, isTotal }) => (
        <div key={label} className={isTotal ? styles['total'] : undefined}>
          <dt className="c-soft">{label}</dt>
          <dd className="text-right">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
