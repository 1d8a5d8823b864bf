import type { FrameLocator, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { type Card, openAnotherCard, pay } from './customer.ts';

/** A card whose bank asks, as the gateway publishes it. */
export const ASKS_ALWAYS = '4000 0027 6000 3184';

const frame = (page: Page, title: string): FrameLocator =>
  page.frameLocator(`iframe[title="${title}"]`);
export const numberField = (page: Page) =>
  frame(page, 'Secure card number input frame').getByLabel('Credit or debit card number');
export const expiryField = (page: Page) =>
  frame(page, 'Secure expiration date input frame').getByLabel(
    'Credit or debit card expiration date',
  );
export const codeField = (page: Page) =>
  frame(page, 'Secure CVC input frame').getByLabel('Credit or debit card CVC/CVV');

/** Fills a checkout whose card goes into the gateway's own fields, without paying yet. */
export async function fillGatewayCheckout(page: Page, card: Card): Promise<void> {
  await openAnotherCard(page);
  await fillGatewayCard(page, card);
  await fillBesideCard(page);
}

/** Fills those fields alone: the rest of the form is there already, or comes later. */
export async function fillGatewayCard(page: Page, card: Card): Promise<void> {
  await numberField(page).fill(card.number);
  await expiryField(page).fill(`${card.month ?? '12'}${(card.year ?? '2030').slice(2)}`);
  await codeField(page).fill(card.cvv ?? '123');
}

/** Fills the cardholder's name and the billing address. */
export async function fillBesideCard(page: Page): Promise<void> {
  await page.getByLabel('Cardholder name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('Street address', { exact: true }).fill('1 Main Street');
  await page.getByLabel('City', { exact: true }).fill('New York');
  await page.getByLabel('State', { exact: true }).fill('NY');
  await page.getByLabel('Zip/postal code', { exact: true }).fill('10001');
  await page.getByLabel('Phone', { exact: true }).fill('5550100100');
}

/** Pays until the bank asks, and goes there. */
export async function payUntilBank(page: Page, amount: string): Promise<void> {
  await pay(page);
  await page.getByRole('heading', { name: `Your bank asks you to confirm ${amount}.` }).waitFor();
  await page.getByRole('button', { name: 'Go to your bank' }).click();
  await page.getByRole('heading', { name: `Confirm ${amount}` }).waitFor();
}

/** It goes from frame to frame through the browser, later than the key that sends it there. */
export async function hasFocus(field: Locator): Promise<void> {
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);
}

/** From the question, which has the focus, by keyboard. */
export async function followToBank(page: Page, asked: string): Promise<void> {
  await hasFocus(page.getByRole('heading', { name: asked }));
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
}

/** Answers at the bank's own page. */
export async function answerBank(
  page: Page,
  answer: 'Confirm' | 'Refuse' | 'Decide in 5 minutes' | 'Leave without an answer',
): Promise<void> {
  await page.getByRole('button', { name: answer, exact: true }).click();
}

/** Leaves the bank to decide later. @returns the payment's id at the gateway, as the way back names it */
export async function letBankTakeTime(page: Page): Promise<string> {
  const [back] = await Promise.all([
    page.waitForRequest('**/payment-return?*payment_intent=*'),
    answerBank(page, 'Decide in 5 minutes'),
  ]);
  return new URL(back.url()).searchParams.get('payment_intent') ?? '';
}

/** Enters a card on the gateway's own page. */
export async function fillHostedPage(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date').fill('12 / 30');
  await page.getByLabel('Security code').fill('123');
  await page.getByLabel('Name on card').fill('Ada Lovelace');
  await page.getByLabel('Street and number').fill('1 Main Street');
  await page.getByLabel('Postal code').fill('10001');
  await page.getByLabel('Town or city').fill('New York');
  await page.getByLabel('State or region').fill('NY');
  await page.getByRole('button', { name: 'Save card' }).click();
}
