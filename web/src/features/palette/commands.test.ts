import { expect, test } from 'vitest';
import { accountExample } from '#web/testing/examples.ts';
import { ACCOUNTS_SHOWN, type CommandActions, commandGroups } from './commands.ts';

function open(count: number, typed = '') {
  const done: string[] = [];
  const note = (what: string) => () => void done.push(what);
  const actions: CommandActions = {
    paths: { dashboard: '/d', settings: '/s', billing: '/b', subscriptions: '/u', help: '/h' },
    go: (path) => void done.push(path),
    buyCredits: note('credits'),
    addAccount: note('add'),
    switchTo: ({ igUsername }) => void done.push(igUsername),
    setColorScheme: (scheme) => void done.push(scheme),
    syncNow: note('sync'),
    logOut: note('log out'),
  };
  const accounts = Array.from({ length: count }, (_, index) =>
    accountExample({ igUsername: `account.${index}` }),
  );
  return { groups: commandGroups(accounts, typed, actions), done };
}

test('every command does what it says', () => {
  const { groups, done } = open(1);
  for (const { actions } of groups) for (const { run } of actions) run();
  expect(done.join(' ')).toBe('/d /u /b /s /h credits add sync light dark auto log out account.0');
});

test('ids are unique, and thousands of accounts do not fill the list', () => {
  const ids = open(5000).groups.flatMap(({ actions }) => actions.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => id.startsWith('account-'))).toHaveLength(ACCOUNTS_SHOWN);
});

test('any of thousands of accounts is found by a part of its name, with or without the @', () => {
  const labels = (typed: string) =>
    open(5000, typed)
      .groups.find(({ group }) => group === 'Switch account')
      ?.actions.map(({ label }) => label);
  expect(labels('NT.4321')).toEqual(['@account.4321']);
  expect(labels('@account.4999 ')).toEqual(['@account.4999']);
  expect(labels('nobody')).toBeUndefined();
});

test('without accounts there is no empty group', () => {
  expect(open(0).groups.map(({ group }) => group)).toEqual(['Go to', 'Do']);
});
