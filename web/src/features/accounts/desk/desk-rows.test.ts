import { expect, test } from 'vitest';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { TableBuilder } from '#web/ui/grid/build-table.ts';
import type { GridColumn } from '#web/ui/grid/grid-column.ts';
import type { AccountFigures } from '#web/replica/queries/account-figures.ts';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { deskColumns, type DeskRow } from './desk-columns.tsx';
import { DeskRows } from './desk-rows.ts';

const [model] = OWNER.connectedAccounts;
const accountOf = (nth: number) => {
  if (!model) throw new Error('The owner has an account');
  return { ...model, igUsername: `account.${nth}`, igId: String(nth) };
};
const figuresOf = (likes: number): AccountFigures => ({
  posts: 1,
  likes,
  problem: { atMs: 5, sentence: 'Too few' },
  retention: 0.5,
  detectionMs: null,
});

test('only accounts of which something has changed are other rows, and only those are worked out anew', () => {
  const accounts = [0, 1, 2, 3].map(accountOf);
  const workedOut: string[] = [];
  const columns: ReadonlyArray<GridColumn<DeskRow>> = [
    {
      key: 'name',
      label: 'Account',
      kind: 'text',
      text: ({ account }) => {
        workedOut.push(account.igUsername);
        return account.igUsername;
      },
      isUsual: true,
      width: 0,
    },
  ];
  const rows = new DeskRows();
  const figures = (likes: number) => new Map([0, 1].map((nth) => [String(nth), figuresOf(likes)]));
  const before = rows.list(accounts, figures(10), new Set());
  const builder = new TableBuilder(columns);
  builder.build(before).data.fieldOf('name');
  expect(workedOut.splice(0)).toHaveLength(4);

  const again = accounts.map((account) => account);
  expect(rows.list(again, figures(10), new Set())).toBe(before);

  const changed = accounts.with(2, { ...accountOf(2), tags: ['VIP'] });
  const moved = new Map([...figures(10), ['1', figuresOf(11)] as const]);
  const after = rows.list(changed, moved, new Set(['3']));
  expect(after.map((row, nth) => row === before[nth])).toEqual([true, false, false, false]);
  const { data } = builder.build(after);
  const names = data.fieldOf('name')?.values;
  expect(workedOut).toEqual(['account.1', 'account.2', 'account.3']);
  expect(names).toEqual([0, 1, 2, 3].map((nth) => `account.${nth}`));
  expect(rows.list(changed, undefined, new Set(['3']))[0]).not.toBe(after[0]);
});

const COLUMNS = deskColumns({ timeZone: 'UTC', seesMoney: true, hasPlanned: true });

test('a smaller plan to come stands beside the plan, with its day', () => {
  const plan = COLUMNS.find(({ key }) => key === 'plan');
  const text = (more: Partial<ConnectedAccount>): string | undefined =>
    plan?.text({ account: { ...accountOf(0), ...more }, figures: undefined, isKept: undefined });
  expect(text({ accountPackageId: 4 })).toBe('500');
  const smaller = { nextPackageId: 1, nextPackageFrom: '2026-12-03T00:00:00Z' };
  expect(text({ accountPackageId: 4, ...smaller, timeZone: 'UTC' })).toBe('500 → 50 on Dec 3');
});

test('where only figures change, what accounts say stays the same object, to be sorted by again', () => {
  const accounts = [0, 1].map(accountOf);
  const rows = new DeskRows();
  const builder = new TableBuilder(COLUMNS);
  const { data: before } = builder.build(rows.list(accounts, undefined, undefined));
  const names = before.fieldOf('name');
  const likes = before.fieldOf('likes');
  const figures = new Map([['1', figuresOf(7)]]);
  const { data } = builder.build(rows.list(accounts, figures, undefined));
  expect(data.fieldOf('name')).toBe(names);
  expect(data.fieldOf('likes')?.values).toEqual(Float64Array.of(0, 7));
  expect(likes?.values).toEqual(Float64Array.of(Number.NaN, Number.NaN));
});

test('an account that is gone takes no other one’s values along', () => {
  const builder = new TableBuilder(COLUMNS);
  const rows = new DeskRows();
  const accounts = [0, 1, 2].map(accountOf);
  builder.build(rows.list(accounts, undefined, undefined)).data.fieldOf('name');
  const { data } = builder.build(rows.list(accounts.toSpliced(1, 1), undefined, undefined));
  expect(data.fieldOf('name')?.values).toEqual(['account.0', 'account.2']);
});
