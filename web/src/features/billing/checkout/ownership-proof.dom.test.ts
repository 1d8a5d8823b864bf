import { expect, test } from 'vitest';
import {
  findOwnership,
  type Ownership,
  proveOwnership,
} from '#shared/contract/accounts/account-changes.ts';
import { NEWCOMER } from '#web/testing/dom/customer-forms.ts';
import { refuse } from '#web/testing/dom/fake-server.ts';
import { openPage } from '#web/testing/dom/open-page.ts';

const NEEDED: Ownership = {
  standing: 'proof_needed',
  code: 'OV-ABCDE23456',
  expiresAt: '2026-11-25T12:00:00.000Z',
  isProved: false,
};

test('where somebody else has the account a code is asked for before any card, and the card after the proof', async () => {
  const page = await openPage('/subscription', {
    user: NEWCOMER,
    server: (server) => server.gives(findOwnership, NEEDED),
  });
  const proof = page.getByRole('region', { name: 'Prove that the account is yours' });
  await proof.getByText('OV-ABCDE23456').waitFor();
  await proof.getByText('@ada.paints can get a plan once you’ve proved that it’s yours.').waitFor();
  expect(page.getByLabel('Card number').count()).toBe(0);

  const missing = 'The code isn’t in the profile text of @ada.paints yet.';
  page.server.on(proveOwnership, refuse('wrong_code', missing));
  await page.button('Check').click();
  await page.getByText(missing).waitFor();
  expect(page.getByLabel('Card number').count()).toBe(0);

  page.server.gives(proveOwnership, { ...NEEDED, isProved: true });
  await page.button('Check').click();
  await page.getByText('You’ve proved that @ada.paints is yours.').waitFor();
  await page.getByLabel('Card number').waitFor();
});

test('where only the money back is used, the card is there, and the proof is offered', async () => {
  const page = await openPage('/subscription', {
    user: NEWCOMER,
    server: (server) => server.gives(findOwnership, { ...NEEDED, standing: 'money_back_used' }),
  });
  await page
    .getByText('The 30-day money-back guarantee for @ada.paints has already been used')
    .waitFor();
  await page.getByLabel('Card number').waitFor();
  expect(page.getByText('OV-ABCDE23456').count()).toBe(0);
  await page.button('This is my account').click();
  await page.getByText('OV-ABCDE23456').waitFor();
});
