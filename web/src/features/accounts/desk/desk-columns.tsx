import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { localDay } from '#shared/domain/time-zone.ts';
import { nextChargeOf } from '#web/payments/plan/next-charge.ts';
import { plannedChangeOf } from '#web/payments/plan/plan-change-words.ts';
import type { AccountFigures } from '#web/replica/queries/account-figures.ts';
import type { GridColumn } from '#web/ui/grid/grid-column.ts';
import { dayOfYear, shortDate } from '#web/ui/words/dates.ts';
import { figure } from '#web/ui/words/figures.ts';
import { fileTags } from '../csv/file-columns.ts';
import { PROBLEM_WORDS, plannedInWords, runningPlan, statusOf } from '../account-status.ts';
import { Status, Tags } from './desk-cells.tsx';
import { pressedColumns } from './pressed-columns.tsx';

/** An account with what its posts and orders say; undefined while that isn’t known. */
export interface DeskRow {
  account: ConnectedAccount;
  figures: AccountFigures | undefined;
  /** Kept offline; undefined until it is known. */
  isKept: boolean | undefined;
}

export interface DeskColumnsOptions {
  timeZone: string;
  /** Whether they may see what is charged, and when. */
  seesMoney: boolean;
  /** Whether any plan changes on a day to come: its column says so. */
  hasPlanned: boolean;
  /** Without it nothing in the rows can be pressed. */
  manage?: (account: ConnectedAccount) => void;
}

const accountOf = ({ account }: DeskRow): unknown => account;
const figuresOf = ({ figures }: DeskRow): unknown => figures;
const readFrom = (
  of: (row: DeskRow) => unknown,
  columns: ReadonlyArray<GridColumn<DeskRow>>,
): GridColumn<DeskRow>[] => columns.map((column) => ({ ...column, of }));

const dollars = (total: number): string => formatCents(Math.round(total * 100));

/** Every column but the clients’, which the desk adds where an account belongs to one. */
export function deskColumns(options: DeskColumnsOptions): GridColumn<DeskRow>[] {
  return [
    ...readFrom(accountOf, [
      ...accountColumns(options),
      planColumn(options),
      ...(options.seesMoney ? chargeColumns(options) : []),
    ]),
    ...readFrom(figuresOf, figureColumns()),
    problemColumn(options),
    ...readFrom(accountOf, [...(options.seesMoney ? [priceColumn] : []), ...rareColumns(options)]),
    ...(options.manage ? pressedColumns(options.manage) : []),
  ];
}

function accountColumns({ timeZone }: DeskColumnsOptions): GridColumn<DeskRow>[] {
  return [
    {
      key: 'name',
      label: 'Account',
      kind: 'text',
      text: ({ account }) => `@${account.igUsername}`,
      value: ({ account }) => account.igUsername,
      csv: ({ account }) => account.igUsername,
      isUsual: true,
      isSearched: true,
      width: 192,
      grow: 2,
      phone: 'title',
    },
    {
      key: 'tags',
      label: 'Tags',
      kind: 'tags',
      text: ({ account }) => account.tags.join(', '),
      csv: ({ account }) => fileTags(account.tags),
      value: ({ account }) => account.tags,
      render: ({ account: { tags } }) => (tags.length > 0 ? <Tags tags={tags} /> : undefined),
      isUsual: true,
      isSearched: true,
      width: 96,
      grow: 2,
      phone: 'more',
    },
    {
      key: 'state',
      label: 'Status',
      kind: 'choice',
      text: ({ account }) => {
        const { word, detail } = statusOf(account, timeZone);
        return detail ? `${word}: ${detail}` : word;
      },
      value: ({ account }) => statusOf(account, timeZone).word,
      render: ({ account }) => <Status account={account} timeZone={timeZone} />,
      isUsual: true,
      isSearched: true,
      width: 100,
      grow: 2,
      phone: 'fact',
    },
  ];
}

const planColumn = ({ timeZone, hasPlanned }: DeskColumnsOptions): GridColumn<DeskRow> => ({
  key: 'plan',
  label: 'Plan',
  kind: 'number',
  text: ({ account }) => planInWords(account, timeZone),
  value: ({ account }) => runningPlan(account)?.likes ?? null,
  csv: ({ account }) => runningPlan(account)?.likes ?? '',
  isNumeric: true,
  isUsual: true,
  width: hasPlanned ? 188 : 68,
  phone: 'aside',
});

/** "1,000 → 500 on Dec 3" where another plan follows. */
function planInWords(account: ConnectedAccount, timeZone: string): string {
  const now = runningPlan(account)?.description ?? '';
  const planned = plannedChangeOf(account);
  if (!planned) return now;
  const day = dayOfYear(planned.atMs, account.timeZone ?? timeZone);
  return `${now} → ${planned.plan.description} on ${day}`;
}

function chargeColumns({ timeZone }: DeskColumnsOptions): GridColumn<DeskRow>[] {
  return [
    {
      key: 'next',
      label: 'Next charge',
      kind: 'date',
      text: ({ account }) => {
        const next = nextChargeOf(account);
        return next ? shortDate(next.atMs, account.timeZone ?? timeZone) : '';
      },
      value: ({ account }) => dayOf(nextChargeOf(account)?.atMs, account.timeZone ?? timeZone),
      csv: ({ account }) => {
        const next = nextChargeOf(account);
        return next ? localDay(next.atMs, account.timeZone ?? timeZone) : '';
      },
      isNumeric: true,
      isUsual: true,
      width: 108,
      phone: 'fact',
    },
    {
      key: 'amount',
      label: 'Amount',
      kind: 'number',
      text: ({ account }) => {
        const next = nextChargeOf(account);
        return next ? formatCents(next.cents) : '';
      },
      value: ({ account }) => {
        const next = nextChargeOf(account);
        return next ? next.cents / 100 : null;
      },
      csv: ({ account }) => {
        const next = nextChargeOf(account);
        return next ? next.cents / 100 : '';
      },
      sum: dollars,
      isNumeric: true,
      isUsual: true,
      width: 96,
      phone: 'fact',
    },
  ];
}

function figureColumns(): GridColumn<DeskRow>[] {
  const counted = (key: 'posts' | 'likes', label: string): GridColumn<DeskRow> => ({
    key,
    label,
    kind: 'number',
    text: ({ figures }) => (figures ? figure(figures[key]) : ''),
    value: ({ figures }) => figures?.[key] ?? null,
    csv: ({ figures }) => figures?.[key] ?? '',
    sum: figure,
    isNumeric: true,
    isUsual: true,
    width: 100,
  });
  return [
    counted('posts', 'Posts this month'),
    counted('likes', 'Delivered this month'),
    {
      key: 'kept-likes',
      label: 'Likes kept',
      about: 'Of the likes delivered, those still there',
      kind: 'number',
      text: ({ figures }) => percent(figures?.retention ?? null),
      value: ({ figures }) => hundredths(figures?.retention ?? null),
      csv: ({ figures }) => hundredths(figures?.retention ?? null) ?? '',
      isNumeric: true,
      isUsual: true,
      width: 72,
    },
    {
      key: 'detection',
      label: 'Detected in',
      about: 'How soon after posting: 95 of 100 posts within this time',
      kind: 'number',
      text: ({ figures }) => secondsInWords(figures?.detectionMs ?? null),
      value: ({ figures }) => seconds(figures?.detectionMs ?? null),
      csv: ({ figures }) => seconds(figures?.detectionMs ?? null) ?? '',
      isNumeric: true,
      isUsual: true,
      width: 100,
    },
  ];
}

function problemColumn({ timeZone, seesMoney }: DeskColumnsOptions): GridColumn<DeskRow> {
  return {
    key: 'problem',
    label: 'Last problem',
    kind: 'text',
    text: (row) => problemOf(row, timeZone, seesMoney),
    isUsual: true,
    isSearched: true,
    width: 104,
    grow: 3,
  };
}

const priceColumn: GridColumn<DeskRow> = {
  key: 'price',
  label: 'Per month',
  kind: 'number',
  text: ({ account }) => {
    const plan = runningPlan(account);
    return plan ? formatCents(plan.priceCents) : '';
  },
  value: ({ account }) => runningPlan(account)?.priceVal ?? null,
  csv: ({ account }) => runningPlan(account)?.priceVal ?? '',
  sum: dollars,
  isNumeric: true,
  isUsual: false,
  width: 100,
};

function rareColumns({ timeZone }: DeskColumnsOptions): GridColumn<DeskRow>[] {
  return [
    {
      key: 'planned',
      label: 'Planned change',
      kind: 'date',
      text: ({ account }) => plannedInWords(account, timeZone) ?? '',
      value: ({ account }) => dayOf(plannedChangeOf(account)?.atMs, account.timeZone ?? timeZone),
      isUsual: false,
      width: 150,
    },
    {
      key: 'followers',
      label: 'Followers',
      kind: 'number',
      text: ({ account }) => account.followers?.toLocaleString('en-US') ?? '',
      value: ({ account }) => account.followers,
      csv: ({ account }) => account.followers ?? '',
      isNumeric: true,
      isUsual: false,
      width: 100,
    },
  ];
}

/** The day that is shown, as its midnight in UTC; null: none. */
const dayOf = (atMs: number | undefined, zone: string): number | null =>
  atMs === undefined ? null : Date.parse(localDay(atMs, zone));

const hundredths = (share: number | null): number | null =>
  share === null ? null : Math.floor(share * 1000) / 10;

function percent(share: number | null): string {
  const value = hundredths(share);
  return value === null ? '' : `${value}%`;
}

const seconds = (ms: number | null): number | null => (ms === null ? null : Math.ceil(ms / 1000));

function secondsInWords(ms: number | null): string {
  const value = seconds(ms);
  if (value === null) return '';
  return value <= 120 ? `${figure(value)} s` : `${figure(Math.ceil(value / 60))} min`;
}

/** What is wrong now; else the newest order that fell short, with its day. */
function problemOf({ account, figures }: DeskRow, timeZone: string, seesMoney: boolean): string {
  if (account.problem) return PROBLEM_WORDS[account.problem];
  if (seesMoney && account.subscriptionState === 'Past due') return 'Card declined';
  const problem = figures?.problem;
  return problem ? `${dayOfYear(problem.atMs, timeZone)}: ${problem.sentence}` : '';
}
