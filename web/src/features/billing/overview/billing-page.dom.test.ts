import { expect, test } from 'vitest';
import type { CreditsTransaction } from '#shared/contract/people/user.ts';
import { replaceBillingInfo } from '#shared/contract/money/subscription.ts';
import { findMoneyBacks, type MoneyBack } from '#shared/contract/money/returned-money.ts';
import { fillCard, OWNER } from '#web/testing/dom/customer-forms.ts';
import { lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import {
  type BillingDocument,
  downloadDocument,
  findDocuments,
} from '#shared/contract/money/documents.ts';
import { saveTaxId } from '#shared/contract/money/tax-id.ts';
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
    replica: { transaction: [PLAN, PACK], ledger: [] },
    server: (server) => server.gives(findMoneyBacks, []),
  });

test('whoever has just paid doesn’t read that nothing was paid while payments are on their way here', async () => {
  const page = await openPage('/my-billing', {
    user: OWNER,
    status: { kind: 'syncing', asOf: undefined },
    replica: { transaction: [], ledger: [] },
    server: (server) => server.gives(findMoneyBacks, []),
  });
  await page.getByText('Loading payments…').waitFor();
  expect(page.getByText('No payments yet.').count()).toBe(0);
  page.leader?.say({ kind: 'live' });
  await page.getByText('No payments yet.').waitFor();
});

// Shows facts 2.70, 2.71.
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

// Shows fact 3.06.
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

// Shows fact 9.10.
test('money back stands under Billing with its next step; while the server is away nothing is said of it', async () => {
  const page = await openPage('/my-billing', {
    user: OWNER,
    replica: { transaction: [PLAN], ledger: [] },
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

const INVOICE: BillingDocument = {
  id: '0192d3c0-0000-7000-8000-0000000000d1',
  number: 'INV-000012',
  kind: 'invoice',
  transactionId: PLAN.id,
  description: PLAN.description,
  amount: 9.99,
  issuedAt: PLAN.createdAt,
};
const CREDIT_NOTE: BillingDocument = {
  ...INVOICE,
  id: '0192d3c0-0000-7000-8000-0000000000d2',
  number: 'INV-000013',
  kind: 'credit_note',
  amount: 4,
};

async function openWithDocuments(saved: Array<[name: string, content: string]>): Promise<Page> {
  return openPage('/my-billing', {
    user: OWNER,
    replica: { transaction: [PLAN, PACK], ledger: [] },
    platform: {
      saveFile: (name, content) =>
        void saved.push([name, new TextDecoder().decode(content as Uint8Array)]),
    },
    server: (server) => {
      server.gives(findMoneyBacks, []);
      server.gives(findDocuments, { taxId: null, documents: [CREDIT_NOTE, INVOICE] });
    },
  });
}

test('each payment has its invoice beside it, one from before has none, and a PDF is saved', async () => {
  const saved: Array<[string, string]> = [];
  const page = await openWithDocuments(saved);
  const table = page.getByRole('table', { name: 'Transaction history' });
  const button = table.getByRole('button', { name: 'Download invoice INV-000012' });
  await button.waitFor();
  expect(table.getByRole('button', { name: /Download invoice/ }).count()).toBe(1);
  page.server.gives(downloadDocument, { fileName: 'INV-000012.pdf', pdf: btoa('%PDF-1.7') });
  await button.click();
  await expect.poll(() => saved).toEqual([['INV-000012.pdf', '%PDF-1.7']]);
  expect(page.server.asked(downloadDocument)[0]?.input).toEqual({
    userId: OWNER.id,
    documentId: INVOICE.id,
  });
});

test('while the server is away the page says what invoices need, in place of dashes', async () => {
  const page = await openPage('/my-billing', {
    user: OWNER,
    replica: { transaction: [PLAN], ledger: [] },
    status: { kind: 'offline', asOf: undefined },
  });
  const invoices = page.getByRole('region', { name: 'Invoices' });
  await invoices.getByText('An invoice needs a connection.').waitFor();
  const table = page.getByRole('table', { name: 'Transaction history' });
  expect(table.getByRole('columnheader').texts()).not.toContain('Invoice');
  page.server.gives(findDocuments, { taxId: null, documents: [INVOICE] });
  page.leader?.say({ kind: 'live' });
  await table.getByRole('button', { name: 'Download invoice INV-000012' }).waitFor();
  expect(invoices.getByText('An invoice needs a connection.').count()).toBe(0);
});

test('credit notes are listed, and a download that fails is said', async () => {
  const page = await openWithDocuments([]);
  const list = page.getByRole('list', { name: 'Credit notes' });
  await list.getByText('Credit note INV-000013').waitFor();
  expect(list.getByRole('listitem').count()).toBe(1);
  page.server.on(downloadDocument, lose);
  await list.getByRole('button', { name: 'Download credit note INV-000013' }).click();
  await page.toasts.getByText('We couldn’t download this. Nothing was changed.').waitFor();
});

test('a document that came broken is said too', async () => {
  const page = await openWithDocuments([]);
  const list = page.getByRole('list', { name: 'Credit notes' });
  page.server.gives(downloadDocument, { fileName: 'INV-000013.pdf', pdf: 'no base64!' });
  await list.getByRole('button', { name: 'Download credit note INV-000013' }).click();
  await page.toasts.getByText('We couldn’t save this document. Please try again.').waitFor();
  expect(page.reports).toContain('A document could not be saved');
});

test('a tax ID is checked beside its field, saved, and can be removed', async () => {
  const page = await openWithDocuments([]);
  const form = page.getByRole('form', { name: 'Tax ID' });
  await form.waitFor();
  const field = page.getByLabel('Tax ID (optional)');
  const save = form.getByRole('button', { name: 'Save' });
  await field.fill('DE12345');
  await save.click();
  await form.getByText('Tax ID is invalid').waitFor();
  expect(page.server.asked(saveTaxId)).toEqual([]);
  page.server.gives(saveTaxId, { taxId: 'DE123456789' });
  await field.fill('de 123 456 789');
  await save.click();
  await page.toasts.getByText('Tax ID saved.').waitFor();
  expect(await field.inputValue()).toBe('DE123456789');
  page.server.gives(saveTaxId, { taxId: null });
  await field.fill('');
  await save.click();
  await page.toasts.getByText('Tax ID removed.').waitFor();
});
