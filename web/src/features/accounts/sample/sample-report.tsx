import { Button } from '@mantine/core';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { csvOf, UTF8_MARK } from '#shared/domain/accounts/csv.ts';
import { monthInWords, reportMonthOf } from '#shared/domain/accounts/report-month.ts';
import { DialogFrame } from '#web/customer/dialogs/dialog-frame.tsx';
import { useServices } from '#web/platform/services.ts';
import parts from '#web/ui/dialog/dialog-parts.module.css';
import { DownloadIcon } from '#web/ui/icons.tsx';
import { figure } from '#web/ui/words/figures.ts';
import preview from '#web/ui/dialog/preview-table.module.css';
import table from '../bulk/bulk.module.css';
import { SAMPLE_FIGURES } from './sample-accounts.ts';

const HEADS = ['Account', 'Posts', 'Delivered likes'];

/** What a client is sent each month, as far as the sample has figures. */
export function SampleReport({
  accounts,
  onClose,
}: {
  accounts: readonly ConnectedAccount[];
  onClose: () => void;
}) {
  const { platform } = useServices();
  const month = reportMonthOf(platform.now(), platform.timeZone());
  const rows = accounts.map(({ igUsername, igId }) => {
    const { posts, likes } = SAMPLE_FIGURES.get(igId) ?? { posts: 0, likes: 0 };
    return { igUsername, posts, likes };
  });
  const posts = rows.reduce((sum, row) => sum + row.posts, 0);
  const likes = rows.reduce((sum, row) => sum + row.likes, 0);
  const save = (): void => {
    const lines = rows.map((row) => [row.igUsername, row.posts, row.likes]);
    const text = UTF8_MARK + csvOf([HEADS, ...lines, ['Total', posts, likes]]);
    platform.saveFile(`report-sample-client-${month}.csv`, text, 'text/csv;charset=utf-8');
  };
  return (
    <DialogFrame title={`Sample client, ${monthInWords(month)}`} size="40rem" onClose={onClose}>
      <p>
        A report of this kind goes to a client each month, with your name and logo on it. These
        figures are made up. Reports of real accounts also have organic likes, delivery times and a
        chart.
      </p>
      <section
        className={`${preview['table']} ${table['table']}`}
        aria-label="Accounts of the report"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- longer than the dialog: scrolled by keys too
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              {HEADS.map((head, nth) => (
                <th key={head} scope="col" className={nth > 0 ? table['money'] : undefined}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.igUsername}>
                <th scope="row">@{row.igUsername}</th>
                <td className={table['money']}>{figure(row.posts)}</td>
                <td className={table['money']}>{figure(row.likes)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td className={table['money']}>{figure(posts)}</td>
              <td className={table['money']}>{figure(likes)}</td>
            </tr>
          </tfoot>
        </table>
      </section>
      <div className={parts['actions']}>
        <Button leftSection={<DownloadIcon />} onClick={save} data-autofocus>
          Download as CSV
        </Button>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </div>
    </DialogFrame>
  );
}
