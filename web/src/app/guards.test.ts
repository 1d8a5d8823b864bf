import { expect, test } from 'vitest';
import type { SessionMarkers } from '#web/platform/session-markers.ts';
import { paths } from './paths.ts';
import { notSignedIn, signedIn, subscribed, visitorOnly } from './guards.ts';

function markers(userId: string | undefined, inSubscription: boolean): SessionMarkers {
  return {
    userId: () => userId,
    inSubscription: () => inSubscription,
    begin: () => undefined,
    remember: () => undefined,
    clear: () => undefined,
    end: () => undefined,
    ended: () => undefined,
    keepsNothing: () => false,
    sayEnded: () => undefined,
    onChange: () => () => undefined,
  };
}

const at = (address: string) => new URL(address, 'https://ovation.example');
const DASHBOARD = at('/dashboard');

const visitor = markers(undefined, false);
const newcomer = markers('a user', false);
const subscriber = markers('a user', true);

// Shows fact 2.46.
test('a visitor sees the public pages and is asked to log in for the others', () => {
  expect(visitorOnly(visitor, DASHBOARD)).toBeUndefined();
  expect(notSignedIn(visitor, DASHBOARD)).toBeUndefined();
  expect(signedIn(visitor, DASHBOARD)).toBe('/login');
  expect(subscribed(visitor, DASHBOARD)).toBe('/login');
});

// Shows facts 2.38, 6.02.
test('a customer without a subscription is led to the checkout', () => {
  expect(visitorOnly(newcomer, DASHBOARD)).toBe('/dashboard');
  expect(notSignedIn(newcomer, DASHBOARD)).toBe('/subscription');
  expect(signedIn(newcomer, DASHBOARD)).toBeUndefined();
  expect(subscribed(newcomer, DASHBOARD)).toBe('/subscription');
});

test('a subscriber is led to the dashboard', () => {
  expect(visitorOnly(subscriber, DASHBOARD)).toBe('/dashboard');
  expect(notSignedIn(subscriber, DASHBOARD)).toBe('/dashboard');
  expect(signedIn(subscriber, DASHBOARD)).toBeUndefined();
  expect(subscribed(subscriber, DASHBOARD)).toBeUndefined();
});

test('a hint of a subscription without a user grants nothing', () => {
  expect(subscribed(markers(undefined, true), DASHBOARD)).toBe('/login');
});

test('whoever has to log in goes on to the page they asked for, with all of its address', () => {
  const login = signedIn(visitor, at('/other-account-subscription?packageValue=2')) ?? '';
  expect(login).toBe('/login?next=%2Fother-account-subscription%3FpackageValue%3D2');
  expect(paths.wantedPage(at(login).search)).toBe('/other-account-subscription?packageValue=2');
  expect(notSignedIn(newcomer, at(login))).toBe('/other-account-subscription?packageValue=2');
});

test.each([
  '//evil.example',
  'https://evil.example/dashboard',
  '/\\evil.example',
  '/login',
  '/',
  '',
])('a log-in leads nowhere but to a customer’s page, and not to %j', (next) => {
  const search = `?${new URLSearchParams({ next })}`;
  expect(paths.wantedPage(search)).toBeUndefined();
  expect(notSignedIn(subscriber, at(`/login${search}`))).toBe('/dashboard');
});
