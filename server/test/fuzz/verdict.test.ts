import { expect, test } from 'vitest';
import { addAccount } from '#shared/contract/accounts/account-changes.ts';
import { findConnectedAccounts } from '#shared/contract/accounts/connected-account.ts';
import { findFault } from './verdict.ts';

const HEADERS = {
  'content-security-policy': 'x',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'x',
  'cache-control': 'no-store',
};
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  path: findConnectedAccounts.path,
  status,
  headers: new Headers({ ...HEADERS, ...headers }),
  text: typeof body === 'string' ? body : JSON.stringify(body),
});
const account = {
  igUsername: 'ada',
  igId: '1',
  profilePic: '',
  accountPackageId: null,
  accountPackageSubsriptionDate: null,
  nextBillingDate: null,
  nextPackageId: null,
  nextPackageFrom: null,
  subscriptionState: null,
  problem: null,
  followers: null,
  lastReadAt: null,
  endsAt: null,
  pausesAt: null,
  resumesAt: null,
  postsWaitSince: null,
  timeZone: null,
  moneyBackUntil: null,
  moneyBackAmount: null,
  moneyBackState: null,
  shiftDays: 0,
  shiftReason: null,
  delivery: { automaticLikes: true, speed: 'Instant', range: null },
  tags: [],
};
const success = { status: 'success', data: [account] };
const error = { status: 'error', code: 'no_session', message: 'Please log in to continue.' };

test('an answer of the contract has no fault', () => {
  expect(findFault(answer(200, success), findConnectedAccounts)).toBeUndefined();
  expect(findFault(answer(401, error), findConnectedAccounts)).toBeUndefined();
});

test('what never came to the app has no fault, unless it says something', () => {
  const headers = new Headers({ connection: 'close' });
  const refused = { ...answer(431, ''), headers };
  expect(findFault(refused, findConnectedAccounts)).toBeUndefined();
  expect(findFault({ ...refused, status: 400 }, undefined)).toBeUndefined();
  expect(findFault({ ...refused, text: 'stack' }, undefined)).toBe('no content-security-policy');
  expect(findFault({ ...refused, status: 404 }, undefined)).toBe('no content-security-policy');
});

test.each([
  ['an error of ours', answer(500, { ...error, code: 'internal' })],
  ['a gateway error', answer(502, error)],
  ['no policy', { ...answer(200, success), headers: new Headers() }],
  ['a kept answer', answer(200, success, { 'cache-control': 'public' })],
  ['an answer for other sites', answer(200, success, { 'access-control-allow-origin': '*' })],
  ['a page', answer(200, '<html>')],
  ['a code with another status', answer(400, error)],
  ['an unknown code', answer(400, { ...error, code: 'odd' })],
  ['a code the call does not name', answer(402, { ...error, code: 'card_declined' })],
  ['an error that says more', answer(401, { ...error, stack: 'at x.ts:1' })],
  ['an empty sentence', answer(401, { ...error, message: ' ' })],
  ['a limit without a time', answer(429, { ...error, code: 'rate_limited' })],
  ['data of another shape', answer(200, { status: 'success', data: [{ ...account, igId: 1 }] })],
  ['a field nobody promised', answer(200, { status: 'success', data: [{ ...account, tries: 1 }] })],
  ['a field beside the data', answer(200, { ...success, otp: '123456' })],
  ['a card number', answer(200, { status: 'success', data: [], x: { ccNum: '4242' } })],
])('%s is a fault', (_name, received) => {
  expect(findFault(received, findConnectedAccounts)).toEqual(expect.any(String));
});

const LATER = { 'retry-after': '3' };

test('503 is a call’s own with a code it declares only', () => {
  const throttled = answer(503, { ...error, code: 'network_throttled' }, LATER);
  expect(findFault(throttled, addAccount)).toBeUndefined();
  expect(findFault(throttled, findConnectedAccounts)).toMatch(/not among the call's errors/);
  const unpaid = answer(503, { ...error, code: 'payment_unavailable' }, LATER);
  expect(findFault(unpaid, addAccount)).toMatch(/not among the call's errors/);
  expect(findFault(answer(503, '', LATER), addAccount)).toBe('not JSON');
});

test('besides the calls only a picture may be away for a while, and says so without a word', () => {
  const away = { ...answer(503, '', LATER), path: '/proxy/x' };
  expect(findFault(away, undefined)).toBeUndefined();
  for (const path of ['/', '/docs', '/proxy', '/provider/events', '/user/user/login']) {
    expect(findFault({ ...away, path }, undefined)).toBe('status 503');
  }
  const told = { ...answer(503, { ...error, code: 'overloaded' }, LATER), path: '/proxy/x' };
  expect(findFault(told, undefined)).toBe('status 503');
});
