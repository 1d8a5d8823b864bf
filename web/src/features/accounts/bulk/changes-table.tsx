import type { BulkItem } from '#shared/contract/bulk.ts';
import type { ConnectedAccount } from '#shared/contract/connected-account.ts';
import { dollarsInWords } from '#web/payments/price-words.ts';
import { useServices } from '#web/platform/services.ts';
import { signed } from './bulk-words.ts';
import { cellOf } from './changed-cell.ts';
import preview from '#web/ui/dialog/preview-table.module.css';
import styles from './bulk.module.css';

interface ChangesTableProps {
  items: ReadonlyArray<Pick<BulkItem, 'position' | 'igUsername' | 'change' | 'today' | 'month'>>;
  /** As it is now; undefined: nothing is known of it. */
  accountOf: (igUsername: string) => ConnectedAccount | undefined;
  /** Whether anything of it costs something. */
  isMoney: boolean;
}

/** Only what changes: before and after, today and a month. */
export function ChangesTable({ items, accountOf, isMoney }: ChangesTableProps) {
  const { platform } = useServices();
  return (
    <section
      className={`${preview['table']} ${styles['table']}`}
      aria-label="What changes"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- longer than the dialog: scrolled by keys too
      tabIndex={0}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col">Now</th>
            <th scope="col">After</th>
            {isMoney && (
              <th scope="col" className={styles['money']}>
                Today
              </th>
            )}
            {isMoney && (
              <th scope="col" className={styles['money']}>
                Monthly
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {items.map(({ position, igUsername, change, today, month }) => {
            const cell = cellOf(change, accountOf(igUsername), platform.timeZone());
            return (
              <tr key={position}>
                <th scope="row">@{igUsername}</th>
                <td>
                  <del>{cell.before}</del>
                </td>
                <td>
                  <ins>{cell.after}</ins>
                </td>
                {isMoney && <td className={styles['money']}>{dollarsInWords(today)}</td>}
                {isMoney && <td className={styles['money']}>{signed(month)}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
