import { expect, test } from 'vitest';
import type { SessionHints } from '../platform/session-hints.ts';
import { notSignedIn, signedIn, subscribed, visitorOnly } from './guards.ts';

function hints(userId: string | undefined, inSubscription: boolean): SessionHints {
  return {
    userId: () => userId,
    inSubscription: () => inSubscription,
    begin: () => undefined,
    remember: () => undefined,
    clear: () => undefined,
    end: () => undefined,
    ended: () => undefined,
    sayEnded: () => undefined,
    onChange: () => () => undefined,
  };
}

const visitor = hints(undefined, false);
const newcomer = hints('a user', false);
const subscriber = hints('a user', true);

test('a visitor sees the public pages and is asked to log in for the others', () => {
  expect(visitorOnly(visitor)).toBeUndefined();
  expect(notSignedIn(visitor)).toBeUndefined();
  expect(signedIn(visitor)).toBe('/login');
  expect(subscribed(visitor)).toBe('/login');
});

test('a customer without a subscription is led to the checkout', () => {
  expect(visitorOnly(newcomer)).toBe('/dashboard');
  expect(notSignedIn(newcomer)).toBe('/subscription');
  expect(signedIn(newcomer)).toBeUndefined();
  expect(subscribed(newcomer)).toBe('/subscription');
});

test('a subscriber is led to the dashboard', () => {
  expect(visitorOnly(subscriber)).toBe('/dashboard');
  expect(notSignedIn(subscriber)).toBe('/dashboard');
  expect(signedIn(subscriber)).toBeUndefined();
  expect(subscribed(subscriber)).toBeUndefined();
});

test('a hint of a subscription without a user grants nothing', () => {
  expect(subscribed(hints(undefined, true))).toBe('/login');
});
