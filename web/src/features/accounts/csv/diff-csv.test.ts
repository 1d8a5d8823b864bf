import { expect, test } from 'vitest';
import { csvOf } from '#shared/domain/accounts/csv.ts';
import { type ComparedAccount, type ComparedClient, diffCsv } from './diff-csv.ts';
import { tooMany } from './read-accounts.ts';
import { fileId, fileTags } from './file-columns.ts';
import { parseCsv } from './parse-csv.ts';

const accountOf = (nth: number): ComparedAccount => ({
  igUsername: `account.${nth}`,
  igId: `17841400000${String(nth).padStart(6, '0')}`,
  likes: nth % 2 === 0 ? 100 : 250,
  tags: nth % 3 === 0 ? ['VIP'] : [],
  client: null,
});
const HEADS = ['ID', 'Account', 'Status', 'Plan', 'Tags'];
const lineOf = ({ igId, igUsername, likes, tags }: ComparedAccount): string[] => [
  fileId(igId),
  igUsername,
  'Active',
  likes === null ? '' : String(likes),
  fileTags(tags),
];
const diffOf = (
  text: string,
  accounts: readonly ComparedAccount[],
  clients?: readonly ComparedClient[],
) => diffCsv(parseCsv(text, ['ID', 'Account', 'Plan', 'Tags', 'Client']), accounts, clients);

test('a file as it was saved changes nothing; those that were edited, and only those, are in the diff', () => {
  const accounts = Array.from({ length: 5000 }, (_, nth) => accountOf(nth));
  const lines = accounts.map(lineOf);
  expect(diffOf(csvOf([HEADS, ...lines]), accounts)).toMatchObject({
    rows: 5000,
    changed: 0,
    same: 5000,
    faulty: 0,
    changes: [],
    ignored: ['Status'],
  });
  for (let nth = 0; nth < 300; nth += 1) lines[nth * 7]?.splice(3, 1, '500');
  const diff = diffOf(csvOf([HEADS, ...lines]), accounts);
  expect(diff).toMatchObject({ changed: 300, same: 4700, faulty: 0 });
  expect(diff.changes).toEqual(
    Array.from({ length: 300 }, (_, nth) => ({
      igUsername: `account.${nth * 7}`,
      change: { kind: 'plan', packageIndex: 4 },
    })),
  );
});

test('tags that a spreadsheet would write another way are text to it, and read as they were', () => {
  const tags = ['007', '3/4', '1e5', '10%', '$5', '12.50', 'SEPT2', 'True', '=1', '-5'];
  const accounts = tags.map((tag, nth) => ({ ...accountOf(nth), tags: [tag] }));
  const lines = accounts.map(lineOf);
  for (const line of lines) expect(line[4]).toMatch(/;$/);
  expect(fileTags(['07', 'VIP'])).toBe('07, VIP');
  expect(diffOf(csvOf([HEADS, ...lines]), accounts)).toMatchObject({ same: 10, faulty: 0 });
});

test('columns go by their names in any order, and tags say what comes and what goes', () => {
  const diff = diffOf('tags;ACCOUNT\nnew, VIP;@Account.0\n;account.3\nVip;account.6\n', [
    accountOf(0),
    accountOf(3),
    accountOf(6),
  ]);
  expect(diff.faults).toEqual([]);
  expect(diff.changes).toEqual([
    { igUsername: 'account.0', change: { kind: 'tags', add: ['new'], remove: [] } },
    { igUsername: 'account.3', change: { kind: 'tags', add: [], remove: ['VIP'] } },
  ]);
  expect(diff).toMatchObject({ rows: 3, changed: 2, same: 1 });
});

test('each fault has its line and column, changes nothing, and the counts add up', () => {
  const [first, second] = [accountOf(0), accountOf(1)];
  const text = csvOf([
    ['ID', 'Account', 'Plan', 'Tags'],
    ['ig-1', '', '100', ''],
    ['', 'nobody', '100', ''],
    [fileId(first.igId), 'other', '100', 'VIP'],
    ['', 'account.0', '123', '=SUM(A1)'],
    ['', 'account.0', '500', 'VIP'],
    ['', 'account.1', '', 'a'.repeat(33)],
    ['', '', '100', ''],
    ['', 'account.1', '250', '', 'more'],
  ]);
  const diff = diffOf(`${text}"open`, [first, second]);
  expect(diff.faults.map(({ line, column }) => [line, column])).toEqual([
    [2, 'ID'],
    [3, 'Account'],
    [4, 'Account'],
    [5, ''],
    [5, 'Plan'],
    [6, ''],
    [7, 'Plan'],
    [7, 'Tags'],
    [8, ''],
    [9, ''],
    [10, ''],
  ]);
  expect(diff.changes).toEqual([]);
  expect(diff).toMatchObject({ rows: 9, changed: 0, same: 0, faulty: 9 });
});

test('a quotation mark that isn’t closed is a fault of its row alone, and every other row counts', () => {
  const accounts = Array.from({ length: 59 }, (_, nth) => accountOf(nth));
  const rows = accounts.map((account) => lineOf(account).join(','));
  rows[1] = `"${rows[1]}`;
  rows[16] = `${rows[16]}"VIP, spring"`;
  rows[31] = `${rows[31]}"VIP"x`;
  const diff = diffOf([HEADS.join(','), ...rows].join('\n'), accounts);
  const reason = 'A quotation mark isn’t closed, or text follows it. Please close or remove it.';
  expect(diff.faults.map(({ line, reason: said }) => [line, said])).toEqual([
    [3, reason],
    [33, reason],
  ]);
  expect(diff.faults[1]?.cells).toEqual([...lineOf(accountOf(31)).slice(0, 4), '"VIP"x']);
  expect(diff).toMatchObject({ rows: 59, changed: 1, same: 56, faulty: 2 });
});

test('after too many rows with such marks the rest is counted as faults that name the last one', () => {
  const text = `Account,Tags\n${'account.0,"VIP"x\n'.repeat(100)}account.0,\naccount.1,\n`;
  const diff = diffOf(text, [accountOf(0), accountOf(1)]);
  expect(diff).toMatchObject({ rows: 102, faulty: 102 });
  expect(diff.faults.slice(100).map(({ line, reason }) => [line, reason])).toEqual([
    [102, 'This row comes after a quotation mark in line 101 that isn’t closed.'],
    [103, 'This row comes after a quotation mark in line 101 that isn’t closed.'],
  ]);
});

test.each(['1000', '1,000', '1.000', '1 000', '1\u{202F}000', '1’000', '1000.00', '1.000,00'])(
  'a plan of 1,000 likes is read as a spreadsheet writes it: %s',
  (typed) => {
    const { changes } = diffOf(`Account;Plan\naccount.0;${typed}\n`, [accountOf(0)]);
    expect(changes.map(({ change }) => change)).toEqual([{ kind: 'plan', packageIndex: 5 }]);
  },
);

test.each(['100.0', '100.00', '100,00'])('%s likes are a hundred, not a dearer plan', (typed) => {
  const diff = diffOf(`Account;Plan\naccount.0;${typed}\n`, [accountOf(0)]);
  expect(diff).toMatchObject({ same: 1, changes: [], faults: [] });
});

test.each([
  ['', 'This file is empty.'],
  ['Name,Plan\na,100', 'No column is called “ID” or “Account”'],
  ['Account,Price\na,100', 'No column is called “Plan” or “Tags”'],
  ['Account,Plan,plan\na,100,100', 'Two columns are called “Plan”.'],
  ['Account,"Plan\na,100', 'Line 1: A quotation mark isn’t closed'],
])('a file that begins %j is refused as a whole', (text, reason) => {
  const diff = diffOf(text, [accountOf(0)]);
  expect(diff.problem).toContain(reason);
  expect(diff).toMatchObject({ rows: 0, changes: [], faults: [] });
});

test('a file of a million lines is read no further than it could be used, and that is said', () => {
  const diff = diffOf(`Account,Plan\n${'account.0,100\n'.repeat(1_000_000)}`, [accountOf(0)]);
  expect(diff.problem).toBe('This file has more than 200,000 rows. Please upload fewer at once.');
  expect(diff).toMatchObject({ rows: 0, changes: [] });
});

test('100,000 lines are read and compared, and more changes than one operation has are refused', () => {
  const accounts = Array.from({ length: 100_000 }, (_, nth) => accountOf(nth));
  const lines = accounts.map((account) => lineOf({ ...account, likes: 500 }));
  const diff = diffOf(csvOf([HEADS, ...lines]), accounts);
  expect(diff).toMatchObject({ rows: 100_000, changed: 100_000, faulty: 0 });
  expect(tooMany(diff.changes.length)).toBe(
    'This file makes 100,000 changes. Please make at most 5,000 at once.',
  );
});

const CLIENTS: readonly ComparedClient[] = [
  { id: 'b', name: 'Bakery', archivedAt: null },
  { id: 'c', name: 'Cinema, Main St.', archivedAt: null },
  { id: 'd', name: 'Dairy', archivedAt: '2026-11-20T09:00:00.000Z' },
];
const theirs = (nth: number, which: number): ComparedAccount => {
  const { id = '', name = '' } = CLIENTS[which] ?? {};
  return { ...accountOf(nth), client: { id, name } };
};
const OF_ALL = [theirs(0, 0), theirs(1, 1), theirs(2, 2), accountOf(3)];

test('a file as it was saved moves no account, and an edited client’s name does, in whatever case', () => {
  const heads = ['Account', 'Client'];
  const saved = OF_ALL.map(({ igUsername, client }) => [igUsername, client?.name ?? '']);
  const same = diffOf(csvOf([heads, ...saved]), OF_ALL, CLIENTS);
  expect(same).toMatchObject({ rows: 4, same: 4, changes: [], faults: [] });
  const text = 'Account;Client\naccount.0; cinema,  main ST.\naccount.1;\naccount.3;BAKERY\n';
  expect(diffOf(text, OF_ALL, CLIENTS).changes).toEqual([
    { igUsername: 'account.0', change: { kind: 'client', clientId: 'c' } },
    { igUsername: 'account.1', change: { kind: 'client', clientId: null } },
    { igUsername: 'account.3', change: { kind: 'client', clientId: 'b' } },
  ]);
});

test('clients are never made by a file, and nothing comes to an archived one', () => {
  const text = 'Account;Client\naccount.0;Barkery\naccount.1;Dairy\naccount.2;Dairy\n';
  const diff = diffOf(text, OF_ALL, CLIENTS);
  expect(diff.faults.map(({ line, column, reason }) => [line, column, reason])).toEqual([
    [2, 'Client', 'There is no client called “Barkery”.'],
    [3, 'Client', 'Dairy is archived.'],
  ]);
  expect(diff).toMatchObject({ changes: [], faulty: 2, same: 1 });
});

test('who may not say whose accounts are edits another column in vain', () => {
  const text = 'Account,Plan,Client\naccount.0,100,Cinema\n';
  const diff = diffOf(text, [accountOf(0)]);
  expect(diff).toMatchObject({ same: 1, changes: [], faults: [], ignored: ['Client'] });
});
