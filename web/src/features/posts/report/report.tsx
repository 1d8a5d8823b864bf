import { Button, NativeSelect } from '@mantine/core';
import {
  cellText,
  type ClientReport,
  type ReportCell,
  reportFileName,
  reportLines,
  reportNotes,
  type ReportTable,
  reportTables,
} from '#shared/domain/accounts/client-report.ts';
import { csvOf, UTF8_MARK } from '#shared/domain/accounts/csv.ts';
import { monthInWords, monthsOn } from '#shared/domain/accounts/report-month.ts';
import { MissesNetwork } from '#web/customer/needs-network.tsx';
import { useMay } from '#web/customer/rights/use-may.ts';
import { useServices } from '#web/platform/services.ts';
import { useOnline } from '#web/platform/use-online.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { DownloadIcon } from '#web/ui/icons.tsx';
import { ReportMailing } from './report-mail.tsx';
import { ReportChart } from './report-chart.tsx';
import styles from './report.module.css';
import { ALL, type FoundReport, type UsedReport, useReport } from './use-report.ts';
import { useMemo, useState } from 'react';
import { arrangeRows } from '#web/ui/data-table/arrange-rows.ts';
import type { Column, Sort } from '#web/ui/data-table/column.ts';
import { DataTable } from '#web/ui/data-table/data-table.tsx';
import { figure } from '#web/ui/words/figures.ts';

type Row = ReadonlyArray<ReportCell>;

/** So many months are offered, the newest first. */
const MONTHS_OFFERED = 24;

export function Report() {
  const used = useReport();
  const { found, problem } = used;
  const isOnline = useOnline();
  const mayMail = useMay('clients');
  return (
    <>
      {!isOnline && <MissesNetwork what={found ? 'Another report' : 'A report'} />}
      <FormProblem sentence={problem} />
      {found && <Choice found={found} used={used} />}
      {found && <Figures report={found.report} />}
      {found && isOnline && mayMail && (
        <ReportMailing
          // Another client’s readers are typed into fields of their own.
          key={found.clientId}
          clientId={found.clientId}
          afterBrand={used.again}
        />
      )}
      {!found && !problem && isOnline && <p aria-live="polite">Loading the report…</p>}
    </>
  );
}

function Choice({ found, used }: { found: FoundReport; used: UsedReport }) {
  const { platform } = useServices();
  const isOnline = useOnline();
  const { clients, seesAll, clientId, newestMonth, report } = found;
  const offered = [
    ...(seesAll ? [{ value: ALL, label: 'All accounts' }] : []),
    ...clients.map(({ id, name }) => ({ value: id, label: name })),
  ];
  const months = Array.from({ length: MONTHS_OFFERED }, (_, nth) => monthsOn(newestMonth, -nth));
  const saveCsv = (): void => {
    const text = UTF8_MARK + csvOf(reportLines(report));
    platform.saveFile(`${reportFileName(report)}.csv`, text, 'text/csv;charset=utf-8');
  };
  return (
    <div className={styles['choice']}>
      {offered.length > 1 && (
        <NativeSelect
          label="Client"
          data={offered}
          value={clientId ?? ALL}
          disabled={!isOnline}
          onChange={(event) => used.choose({ client: event.currentTarget.value })}
        />
      )}
      <NativeSelect
        label="Month"
        data={months.map((month) => ({ value: month, label: monthInWords(month) }))}
        value={report.month}
        disabled={!isOnline}
        onChange={(event) => used.choose({ month: event.currentTarget.value })}
      />
      <Button
        leftSection={<DownloadIcon />}
        loading={used.isDownloading}
        disabled={!isOnline}
        onClick={used.download}
      >
        Download as PDF
      </Button>
      <Button variant="default" leftSection={<DownloadIcon />} onClick={saveCsv}>
        Download as CSV
      </Button>
    </div>
  );
}

function Figures({ report }: { report: ClientReport }) {
  const { totals, accounts } = reportTables(report);
  const [sums = []] = totals.rows;
  return (
    <>
      {report.agency && <p className="c-soft">By {report.agency.name}</p>}
      <dl className={styles['sums']} aria-label={totals.title}>
        {totals.columns.map(({ label, kind }, nth) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{cellText(kind, sums[nth] ?? null)}</dd>
          </div>
        ))}
      </dl>
      <ReportChart report={report} />
      <ul className={styles['notes']}>
        {reportNotes(report).map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
      {accounts.rows.length > 0 && (
        <section aria-labelledby="report-accounts">
          <h2 id="report-accounts">{accounts.title}</h2>
          <ReportAccounts table={accounts} />
        </section>
      )}
    </>
  );
}

/** So many accounts at first, of whatever order: with all of them the page would have no end. */
const FIRST_ROWS = 50;

/** The accounts of a report, to be sorted by any figure. */
function ReportAccounts({ table }: { table: ReportTable }) {
  const [sort, setSort] = useState<Sort>({ key: 'Account', isDescending: false });
  const [isAll, setIsAll] = useState(false);
  const columns = useMemo(() => columnsOf(table), [table]);
  const rows = arrangeRows(table.rows, columns, { search: '', sort });
  return (
    <>
      <DataTable
        label={table.title}
        columns={columns}
        rows={isAll ? rows : rows.slice(0, FIRST_ROWS)}
        idOf={([name]) => String(name)}
        sort={sort}
        onSort={setSort}
      />
      {!isAll && rows.length > FIRST_ROWS && (
        <Button variant="default" mt="md" onClick={() => setIsAll(true)}>
          Show all {figure(rows.length)} accounts
        </Button>
      )}
    </>
  );
}

function columnsOf({ columns }: ReportTable): Column<Row>[] {
  return columns.map(({ label, kind }, nth): Column<Row> => {
    const isName = nth === 0;
    return {
      key: label,
      label,
      text: (row) => cellText(kind, row[nth] ?? null),
      sortBy: (row) => row[nth] ?? null,
      isNumeric: !isName,
      width: isName ? 'minmax(13.5rem, 2fr)' : 'minmax(4.75rem, 1fr)',
      ...(isName && { head: 'title' as const }),
      ...(kind === 'seconds' && { from: 'tablet' as const }),
    };
  });
}
