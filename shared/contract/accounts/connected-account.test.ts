import { expect, test } from 'vitest';
import { accountExample } from '#web/testing/examples.ts';
import { type ConnectedAccount, withoutMoney } from './connected-account.ts';

const AT = '2026-11-21T09:00:00.000Z';
const AFTER = Date.parse(AT) + 1;

/** An account of which everything is known. */
const FULL: Required<ConnectedAccount> = {
  ...accountExample(),
  accountPackageSubsriptionDate: AT,
  nextBillingDate: AT,
  nextPackageId: 2,
  nextPackageFrom: AT,
  subscriptionState: 'Past due',
  problem: 'throttled',
  unreadableSince: AT,
  endsAt: AT,
  pausesAt: AT,
  resumesAt: AT,
  postsWaitSince: AT,
  postsWait: false,
  pastDueSince: AT,
  moneyBackUntil: AT,
  moneyBackAmount: 17,
  moneyBackState: 'Requested',
  shiftDays: 2,
  shiftReason: 'Two days',
  client: { id: '0192d3c0-0000-7000-8000-0000000000f1', name: 'Bakery' },
};

/** What becomes of each field for who isn't told of money; `same`: it is about delivery, and stays. */
const BECOMES: { [Field in keyof Required<ConnectedAccount>]: unknown } = {
  igUsername: 'same',
  igId: 'same',
  profilePic: 'same',
  accountPackageId: 'same',
  accountPackageSubsriptionDate: null,
  nextBillingDate: null,
  nextPackageId: 'same',
  nextPackageFrom: 'same',
  subscriptionState: 'Active',
  problem: 'same',
  unreadableSince: 'same',
  followers: 'same',
  lastReadAt: 'same',
  endsAt: 'same',
  pausesAt: 'same',
  resumesAt: 'same',
  postsWaitSince: null,
  postsWait: true,
  pastDueSince: null,
  timeZone: 'same',
  moneyBackUntil: null,
  moneyBackAmount: null,
  moneyBackState: null,
  shiftDays: 0,
  shiftReason: null,
  delivery: 'same',
  tags: 'same',
  client: 'same',
};

test('of each field of an account it is decided what it is to who isn’t told of money', () => {
  const shown: Partial<Record<string, unknown>> = withoutMoney(FULL, AFTER);
  for (const [field, becomes] of Object.entries(BECOMES)) {
    const wanted = becomes === 'same' ? FULL[field as keyof ConnectedAccount] : becomes;
    expect([field, shown[field]]).toEqual([field, wanted]);
  }
  expect(Object.keys(shown).sort()).toEqual(Object.keys(BECOMES).sort());
});

test('posts wait from their moment on, also where that was told before', () => {
  const served = withoutMoney(FULL, Date.parse(AT) - 1);
  expect(served).toMatchObject({ subscriptionState: 'Active', postsWait: false });
  const waiting = withoutMoney(FULL, AFTER);
  expect(withoutMoney(waiting, AFTER)).toEqual(waiting);
  const paused = withoutMoney({ ...FULL, subscriptionState: 'Paused' }, AFTER);
  expect(paused.subscriptionState).toBe('Paused');
});
