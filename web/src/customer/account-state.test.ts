import { expect, test } from 'vitest';
import { accountExample } from '#web/testing/examples.ts';
import { stateInWord } from './account-state.ts';

test('a plan is active only where new posts get their likes', () => {
  const delivery = { automaticLikes: false, speed: 'Instant', range: null } as const;
  expect(stateInWord(accountExample())).toBe('Active');
  expect(stateInWord(accountExample({ problem: 'throttled' }))).toBe('Active');
  expect(stateInWord(accountExample({ problem: 'unreadable' }))).toBe('On hold');
  expect(stateInWord(accountExample({ delivery }))).toBe('Likes off');
  expect(stateInWord(accountExample({ subscriptionState: 'Paused', delivery }))).toBe('Paused');
  expect(stateInWord(accountExample({ subscriptionState: null }))).toBe('No plan');
});
