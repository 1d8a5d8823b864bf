import { formatInstant } from '../words/date-in-words.ts';
import { monthInWords } from './report-month.ts';
import { PRODUCT_NAME } from '../product.ts';

/*
 * What a report says of a client and a month, once for the page, the CSV and the PDF. Its posts are those published in
 * the month that weren't deleted, with the likes they have when the report is made.
 */

export interface ReportFigures {
  posts: number;
  /** null: not known of any of these posts. */
  organic: number | null;
  /** Likes that the workspace's orders have delivered to these posts. */
  delivered: number;
  /** Of the delivered likes, how many are still there, 0 to 1; null: not known. */
  retention: number | null;
  /** From an order until it was delivered in full: so long half of them took at most, and 95 of 100. */
  halfSeconds: number | null;
  mostSeconds: number | null;
}

export interface ClientReport {
  /** The client's name; null: all accounts of the workspace. */
  clientName: string | null;
  /** Who made it, as they call themselves, with a PNG in base64; null: the product's name stands there. */
  agency: { name: string; logo: string | null } | null;
  /** "2026-10" */
  month: string;
  /** The day it was made, in the zone of the report: "2026-11-23". */
  madeOn: string;
  totals: ReportFigures;
  /** Posts whose organic likes aren't known. */
  unknownPosts: number;
  /** The zone of its days. */
  timeZone?: string | undefined;
  /** Likes are simulated by the sandbox. */
  isDemoData?: boolean | undefined;
  /** Every day of the month, until the day it was made. */
  days: Array<{ day: string; posts: number; organic: number; delivered: number }>;
  accounts: Array<ReportFigures & { igUsername: string }>;
}

/** How a cell is printed. */
type CellKind = 'account' | 'day' | 'count' | 'share' | 'seconds';
export type ReportCell = string | number | null;

export interface ReportTable {
  title: string;
  columns: ReadonlyArray<{ label: string; kind: CellKind }>;
  /** The first cell names its row. A cell of its own kind says it instead of its column. */
  rows: ReadonlyArray<ReadonlyArray<ReportCell>>;
}

export const reportTitle = ({ clientName }: Pick<ClientReport, 'clientName'>): string =>
  clientName ?? 'All accounts';

/** What is counted, in words. */
export function reportNotes(report: ClientReport): string[] {
  const { month, madeOn, timeZone, unknownPosts, isDemoData } = report;
  const made = formatInstant(Date.parse(madeOn), 'date', 'UTC');
  return [
    ...(isDemoData ? ['Demo data: likes are simulated by the sandbox.'] : []),
    `Posts published in ${monthInWords(month)}, with the likes they had on ${made}. Deleted posts aren’t counted.`,
    ...(timeZone === undefined
      ? []
      : [`Days and months are those of the time zone ${timeZone.replaceAll('_', ' ')}.`]),
    `Delivered likes were ordered through ${PRODUCT_NAME}. Organic likes weren’t, and are always counted apart.`,
    ...(unknownPosts === 0
      ? []
      : [
          `Organic likes of ${unknownPosts === 1 ? '1 post' : `${unknownPosts.toLocaleString('en-US')} posts`} aren’t known, and aren’t part of the sums.`,
        ]),
  ];
}

const FIGURES = [
  { label: 'Posts', kind: 'count' },
  { label: 'Organic likes', kind: 'count' },
  { label: 'Delivered likes', kind: 'count' },
  { label: 'Likes kept', kind: 'share' },
  { label: 'Typical delivery', kind: 'seconds' },
  { label: '95% of orders in', kind: 'seconds' },
] as const;

const figureCells = (of: ReportFigures): ReportCell[] => [
  of.posts,
  of.organic,
  of.delivered,
  of.retention === null ? null : Math.round(of.retention * 1000) / 10,
  of.halfSeconds,
  of.mostSeconds,
];

/** All figures of a report, as tables. */
export function reportTables(report: ClientReport): {
  totals: ReportTable;
  days: ReportTable;
  accounts: ReportTable;
} {
  return {
    totals: { title: 'Total', columns: FIGURES, rows: [figureCells(report.totals)] },
    days: {
      title: 'Likes by day posted',
      columns: [
        { label: 'Day', kind: 'day' },
        { label: 'Posts', kind: 'count' },
        { label: 'Organic likes', kind: 'count' },
        { label: 'Delivered likes', kind: 'count' },
      ],
      rows: report.days.map(({ day, posts, organic, delivered }) => [
        day,
        posts,
        organic,
        delivered,
      ]),
    },
    accounts: {
      title: 'Accounts',
      columns: [{ label: 'Account', kind: 'account' }, ...FIGURES],
      rows: report.accounts.map((account) => [account.igUsername, ...figureCells(account)]),
    },
  };
}

/** A cell as people read it. */
export function cellText(kind: CellKind, value: ReportCell): string {
  if (value === null) return 'unknown';
  switch (kind) {
    case 'account':
      return `@${value}`;
    case 'day':
      return formatInstant(Date.parse(String(value)), 'dayOfYear', 'UTC');
    case 'count':
      return value.toLocaleString('en-US');
    case 'share':
      return `${value}%`;
    case 'seconds':
      return secondsInWords(Number(value));
    default:
      return kind satisfies never;
  }
}

/** To the second, as the file has it: "41 s", "3 min 20 s". */
function secondsInWords(seconds: number): string {
  const parts: ReadonlyArray<readonly [amount: number, unit: string]> = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const said = parts.filter(([amount]) => amount > 0).map(([amount, unit]) => `${amount} ${unit}`);
  return said.join(' ') || '0 s';
}

const UNITS: Partial<Record<CellKind, string>> = { share: ' (%)', seconds: ' (s)' };

/** The report as a file for spreadsheets: bare numbers, and nothing where a figure isn't known. */
export function reportLines(report: ClientReport): Array<Array<string | number>> {
  const { totals, days, accounts } = reportTables(report);
  const lines: Array<Array<string | number>> = [
    ['Report', reportTitle(report)],
    ['Month', report.month],
    ['Made on', report.madeOn],
  ];
  for (const { title, columns, rows } of [totals, days, accounts]) {
    lines.push(
      [],
      [title],
      columns.map(({ label, kind }) => `${label}${UNITS[kind] ?? ''}`),
    );
    lines.push(...rows.map((row) => row.map((cell) => cell ?? '')));
  }
  return lines;
}

/** What its file is called, without its ending: "report-bakery-2026-10". */
export function reportFileName(report: ClientReport): string {
  const name = reportTitle(report)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '');
  return `report-${name || 'client'}-${report.month}`;
}
