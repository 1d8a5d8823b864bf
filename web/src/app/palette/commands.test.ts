import { expect, test } from 'vitest';
import { SHORTCUT_IDS } from '#web/customer/commands/shortcuts.ts';
import { accountExample } from '#web/testing/examples.ts';
import {
  ACCOUNTS_AT_FIRST,
  ACCOUNTS_SHOWN,
  type CommandActions,
  commandGroups,
} from './commands.ts';

const FILTER = { name: 'Best of bread', search: '?sort=likes&q=bread' };
const POST = { id: 'p1', igId: '1', label: 'A street', description: 'Nov 21, 2026, @ada' };

function open(count: number, typed = '', { can = SHORTCUT_IDS, isTeam = true } = {}) {
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const actions: CommandActions = {
    shortcuts: Object.fromEntries(can.map((id) => [id, note(id)])),
    changeUsername: note('username'),
    openDashboard: note('open dashboard'),
    openTeamPage: isTeam ? (page) => void done.push(page) : undefined,
    openPost: ({ id }) => void done.push(id),
    openFilter: ({ search }) => void done.push(search),
    switchTo: ({ igUsername }) => void done.push(igUsername),
    setColorScheme: (scheme) => void done.push(scheme),
    syncNow: note('sync'),
    logOut: note('log out'),
  };
  const accounts = Array.from({ length: count }, (_, index) =>
    accountExample({ igUsername: `account.${index}` }),
  );
  const posts = typed === '' ? [POST] : [];
  return { groups: commandGroups({ accounts, posts, filters: [FILTER] }, typed, actions), done };
}
const labels = (typed: string, options?: Parameters<typeof open>[2]): string[] =>
  open(0, typed, options).groups.flatMap(({ actions }) => actions.map(({ label }) => label));

test('every command does what it says', () => {
  const { groups, done } = open(1);
  for (const { actions } of groups) for (const { run } of actions) run();
  expect(done.join(' ')).toBe(
    'dashboard subscriptions billing alerts report team activity settings help extraLikes buyCredits exportReceipts delivery plan addAccount account.0 ?sort=likes&q=bread p1 username sync light dark auto shortcuts log out',
  );
});

test('ids are unique, and thousands of accounts do not fill the list', () => {
  const ids = (typed: string) =>
    open(5000, typed).groups.flatMap(({ actions }) => actions.map(({ id }) => id));
  expect(new Set(ids('')).size).toBe(ids('').length);
  const accounts = (typed: string) => ids(typed).filter((id) => id.startsWith('account-'));
  expect(accounts('')).toHaveLength(ACCOUNTS_AT_FIRST);
  expect(accounts('account')).toHaveLength(ACCOUNTS_SHOWN);
});

test('any of thousands of accounts is found by a part of its name, with or without the @', () => {
  const named = (typed: string) =>
    open(5000, typed)
      .groups.find(({ group }) => group === 'Switch account')
      ?.actions.map(({ label }) => label);
  expect(named('NT.4321')).toEqual(['@account.4321']);
  expect(named('@account.4999 ')).toEqual(['@account.4999']);
  expect(named('nobody')).toBeUndefined();
});

test('an action is found by what people call it', () => {
  expect(labels('pause')).toEqual(['Change plan, pause or cancel']);
  expect(labels('csv')).toEqual(['Export receipts']);
  expect(labels('speed')).toEqual(['Delivery settings']);
  expect(labels('receipts card')).toEqual(['Billing']);
  expect(labels('bell')).toEqual(['Alerts']);
});

test('the pages of a team are found by what people call them, and not by who works alone', () => {
  expect(labels('report')).toEqual(['Client report']);
  expect(labels('invite')).toEqual(['Team']);
  expect(labels('history')).toEqual(['Activity']);
  expect(labels('invite', { isTeam: false })).toEqual([]);
});

test('a saved filter is found by its name and by what it is', () => {
  expect(labels('best')).toEqual(['Best of bread']);
  expect(labels('saved filter')).toEqual(['Best of bread']);
});

test('what can’t be done on this page is not offered; an export leads to the dashboard', () => {
  expect(labels('likes for post', { can: [] })).toEqual([]);
  const { groups, done } = open(0, 'export', { can: [] });
  groups[0]?.actions[0]?.run();
  expect(done).toEqual(['open dashboard']);
});

test('without accounts there is no empty group', () => {
  expect(open(0, 'log out').groups.map(({ group }) => group)).toEqual(['More']);
});
