import { expect, test } from 'vitest';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { accountExample } from '#web/testing/examples.ts';
import { accountColumns } from './account-columns.tsx';

/** Makes one field of an account another one; `false`: no words of the table tell it. */
const OTHER: { [Field in keyof ConnectedAccount]: Partial<ConnectedAccount> | false } = {
  igUsername: { igUsername: 'grace.bakes' },
  igId: { igId: '17841400000000002' },
  profilePic: false,
  accountPackageId: { accountPackageId: 2 },
  accountPackageSubsriptionDate: false,
  nextBillingDate: { nextBillingDate: '2026-12-25T09:00:00.000Z' },
  nextPackageId: { nextPackageId: 2, nextPackageFrom: '2026-12-21T09:00:00.000Z' },
  nextPackageFrom: { nextPackageId: 2, nextPackageFrom: '2026-12-21T09:00:00.000Z' },
  subscriptionState: { subscriptionState: 'Past due' },
  problem: { problem: 'unreadable' },
  followers: { followers: 7 },
  lastReadAt: false,
  endsAt: { endsAt: '2026-12-21T09:00:00.000Z' },
  pausesAt: { pausesAt: '2026-12-21T09:00:00.000Z', resumesAt: '2027-01-21T09:00:00.000Z' },
  resumesAt: { pausesAt: '2026-12-21T09:00:00.000Z', resumesAt: '2027-01-21T09:00:00.000Z' },
  postsWaitSince: false,
  timeZone: { timeZone: 'Pacific/Kiritimati', nextBillingDate: '2026-12-21T23:00:00.000Z' },
  moneyBackUntil: false,
  moneyBackAmount: false,
  moneyBackState: false,
  shiftDays: false,
  shiftReason: false,
  delivery: false,
  tags: false,
};

const COLUMNS = accountColumns({
  timeZone: 'UTC',
  seesMoney: true,
  kept: new Set(['17841400000000002']),
  manage: () => undefined,
});
const wordsOf = (changes: Partial<ConnectedAccount>): string[] =>
  COLUMNS.map(({ text }) => text(accountExample(changes)));

const SHOWN = Object.entries(OTHER).flatMap(([field, other]) => (other ? [{ field, other }] : []));

test.each(SHOWN)('the table shows $field', ({ other }) => {
  expect(wordsOf(other)).not.toEqual(wordsOf({}));
});

test('a file has the day of the next charge as a spreadsheet reads it, where the account is', () => {
  const next = COLUMNS.find(({ key }) => key === 'next');
  expect(next?.csv?.(accountExample(OTHER.timeZone || {}))).toBe('2026-12-22');
});
