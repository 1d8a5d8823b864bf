import { expect, test } from 'vitest';
import { A_CLIENT, ACTIVITY, type Told } from './activity-words.ts';

const told = (client: string): Told => ({
  who: 'Dana',
  account: 'an account',
  person: 'someone who has left',
  client,
  address: 'an address',
  amount: '',
  invited: 'someone',
  worksFor: '',
  role: '',
  limit: '',
  bulk: '',
  proposal: '',
  asked: '',
  reason: '',
});

test.each([
  ['the client Bakery', 'moved accounts to the client Bakery'],
  [A_CLIENT, 'changed the client of accounts'],
])('accounts that get %s are told as that', (client, words) => {
  expect(ACTIVITY.client_of_account_changed.words(told(client))).toBe(words);
});
