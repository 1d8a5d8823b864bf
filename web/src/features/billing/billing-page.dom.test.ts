import { expect, test } from 'vitest';
import type { CreditsTransaction } from '#shared/contract/user.ts';
import {
  findMoneyBacks,
  type MoneyBack,
  replaceBillingInfo,
} from '#shared/contract/subscription.ts';
import { fillCard, OWNER } from '#web/testing/dom/customer-forms.ts';
import { lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const PLAN: CreditsTransaction = {
  id: '0192d3c0-0000-7000-8000-0000000000b1',
  createdAt: '2026-11-21T09:00:00.000Z',
  igUsername: 'ada.paints',
  description: '50 likes per post, monthly',
  price: 9.99,
  billingInfoId: OWNER.billingInfo,
};
const { igUsername: _, ...OF_NOBODY } = PLAN;
const PACK: CreditsTransaction = {
  ...OF_NOBODY,
  id: '0192d3c0-0000-7000-8000-0000000000b2',
  createdAt: '2026-11-21T10:00:00.000Z',
  description: '2,500 credits',
  price: 10,
};
const ASKED: MoneyBack = {
  id: '0192d3c0-0000-7000-8000-0000000000b3',
  igUsername: 'ada.paints',
  state: 'Requested',
  amount: 9.99,
  most: 9.99,
  charged: 9.99,
  hasFreeLikes: true,
  paidLikes: 0,
  likesCost: 0,
  takenCredits: 0,
  usedCredits: 0,
  creditsCost: 0,
  requestedAt: '2026-11-22T12:00:00.000Z',
  approvedBy: '2026-11-25T12:00:00.000Z',
  paidAt: null,
};

const open = (): Promise<Page> =>
  openPage('/my-billing', {
    user: OWNER,
    copy: { transaction: [PLAN, PACK], ledger: [] },
    server: (server) => server.gives(findMoneyBacks, []),
  });

test('billing hides all but the last 3 digits of the card and lists the payments, each with a receipt', async () => {
  const page = await open();
  const card = page.getByRole('region', { name: 'Saved card' });
  expect(await card.text()).toMatch(/[^\d\s]242\b/);
  expect(await card.text()).not.toContain('4242');
  const table = page.getByRole('table', { name: 'Transaction history' });
  await table.getByText('$9.99').waitFor();
  await table.getByRole('button', { name: 'Receipt for 50 likes per post, monthly' }).click();
  const receipt = page.getByRole('dialog', { name: /Receipt/ });
  await receipt.getByText('50 likes per post, monthly').waitFor();
  await receipt.getByText('00000-000B1', { exact: true }).waitFor();
});

test('a payment for no account, as for credits, shows dashes in the place of a name', async () => {
  const page = await open();
  const rows = page.getByRole('table', { name: 'Transaction history' }).getByRole('row');
  const pack = rows.filter({ hasText: '2,500 credits' });
  await pack.getByText('---', { exact: true }).waitFor();
  expect(rows.filter({ hasText: '@ada.paints' }).count()).toBe(1);
});

test('a replaced card is checked beside its fields', async () => {
  const page = await open();
  await page.button('Replace card').click();
  await page.button('Save card').click();
  await page.getByText('Please enter a card number').waitFor();
  expect(await page.getByLabel('Card number').getAttribute('aria-invalid')).toBe('true');
  expect(page.server.asked(replaceBillingInfo)).toEqual([]);
});

test('a replaced card that the bank declines is refused once, with the reason and that nothing was charged', async () => {
  const page = await open();
  await page.button('Replace card').click();
  page.server.on(replaceBillingInfo, refuse('card_declined', 'Unable to process the payment'));
  await page.getByRole('form', { name: 'Replace card' }).waitFor();
  await fillCard(page);
  await page.button('Save card').click();
  await page.getByText('The bank declined this card. You were not charged.').waitFor();
  expect(page.getByText('Unable to process the payment').count()).toBe(0);
  expect(page.toasts.count()).toBe(0);
});

test('a new card whose answer was lost is sent again under its key', async () => {
  const page = await open();
  await page.button('Replace card').click();
  const form = page.getByRole('form', { name: 'Replace card' });
  await form.waitFor();
  page.server.next(replaceBillingInfo, lose, succeed(replaceBillingInfo, OWNER));
  await fillCard(page);
  await page.button('Save card').click();
  await form.getByText('we don’t know yet if your card was replaced').waitFor();
  await page.button('Save card').click();
  await page.toasts.getByText('Your card has been replaced').waitFor();
  const [lost, again] = page.server.asked(replaceBillingInfo);
  expect(lost?.idempotencyKey).toMatch(/^[-\da-f]{36}$/);
  expect(again).toEqual(lost);
});

test('money back stands under Billing with its next step; while the server is away nothing is said of it', async () => {
  const page = await openPage('/my-billing', {
    user: OWNER,
    copy: { transaction: [PLAN], ledger: [] },
    status: { kind: 'offline', asOf: undefined },
  });
  await page.getByRole('table', { name: 'Transaction history' }).waitFor();
  const section = page.getByRole('region', { name: 'Money back' });
  expect(section.count()).toBe(0);
  page.server.gives(findMoneyBacks, [ASKED]);
  page.leader?.say({ kind: 'live' });
  const row = section.getByRole('listitem');
  await row.getByText('@ada.paints: Requested').waitFor();
  expect(row.count()).toBe(1);
  await row.getByText('$9.99', { exact: true }).waitFor();
  await row
    .getByText(
      /^Nothing is deducted from the \$9\.99 charged\. We’ll approve it no later than .*\..* within 7 to 10 business days\.$/,
    )
    .waitFor();
});
