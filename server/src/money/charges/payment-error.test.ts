import { expect, test } from 'vitest';
import type { NoChargeCode } from '#server/kit/db/tables/charge.table.ts';
import { isBankDecline } from './payment-error.ts';

test('a bank’s no is told apart from what kept us from asking it', () => {
  const ours: Array<NoChargeCode | null> = [null, 'rejected', 'never_charged', 'abandoned'];
  const banks: NoChargeCode[] = ['card_declined', 'card_disputed', 'given_up'];
  expect([...ours, ...banks].filter(isBankDecline)).toEqual(banks);
});
