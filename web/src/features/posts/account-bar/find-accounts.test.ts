import { expect, test } from 'vitest';
import { accountExample } from '#web/testing/examples.ts';
import { accountChoices } from './find-accounts.ts';

const ada = accountExample();
const bob = accountExample({ igUsername: 'bob.bakes' });

test('all accounts together are offered first, to whoever has several and doesn’t search for one', () => {
  expect(accountChoices([ada, bob], '')).toEqual(['all', ada, bob]);
  expect(accountChoices([ada, bob], '@BOB')).toEqual([bob]);
  expect(accountChoices([ada], '')).toEqual([ada]);
});
