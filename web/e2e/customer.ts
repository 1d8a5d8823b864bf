import type { Page } from 'playwright-core';

/** Who signs up in a journey. */
export interface Customer {
  name: string;
  email: string;
  password: string;
  igUsername: string;
  phone: string;
}

export function newCustomer(igUsername: string): Customer {
  return {
    name: 'Ada Lovelace',
    email: `${igUsername}@example.test`,
    password: 'correct horse battery',
    igUsername,
    phone: '5550100100',
  };
}

/** Fills the sign-up form as a person would, and waits for what it answers. */
export async function signUp(page: Page, url: string, customer: Customer): Promise<void> {
  await page.goto(`${url}/signup`);
  await page.getByLabel('Name', { exact: true }).fill(customer.name);
  await page.getByLabel('Email', { exact: true }).fill(customer.email);
  await page.getByLabel('Password', { exact: true }).fill(customer.password);
  await page.getByLabel('Instagram username', { exact: true }).fill(customer.igUsername);
  await page.getByLabel('Phone', { exact: true }).fill(customer.phone);
  await page.getByLabel('Package', { exact: true }).selectOption('1');
  await page.getByRole('button', { name: 'Sign Up' }).click();
}

/** Logs in as a person would, where a log-out has led to the form or at its address, and waits for nothing. */
export async function logIn(
  page: Page,
  url: string,
  customer: Pick<Customer, 'email' | 'password'>,
): Promise<void> {
  if (page.url() !== `${url}/login`) await page.goto(`${url}/login`);
  await page.getByLabel('Email', { exact: true }).fill(customer.email);
  await page.getByLabel('Password', { exact: true }).fill(customer.password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

export interface Card {
  number: string;
  month?: string;
  year?: string;
  cvv?: string;
}

/** Opens the card's fields where the saved card is offered first. */
export async function openAnotherCard(page: Page): Promise<void> {
  const other = page.getByRole('button', { name: 'Use another card' });
  await other.or(page.getByLabel('Cardholder name', { exact: true })).waitFor();
  if (await other.isVisible()) await other.click();
}

/** Fills the checkout with a card and a billing address, without paying yet. */
export async function fillCheckout(page: Page, card: Card): Promise<void> {
  await openAnotherCard(page);
  await page.getByLabel('Cardholder name', { exact: true }).fill('Ada Lovelace');
  await page.getByLabel('Card number', { exact: true }).fill(card.number);
  await page.getByLabel('Month', { exact: true }).selectOption(card.month ?? '12');
  await page.getByLabel('Year', { exact: true }).selectOption(card.year ?? '2030');
  await page.getByLabel('CVV/CVC', { exact: true }).fill(card.cvv ?? '123');
  await page.getByLabel('Street address', { exact: true }).fill('1 Main Street');
  await page.getByLabel('City', { exact: true }).fill('New York');
  await page.getByLabel('State', { exact: true }).fill('NY');
  await page.getByLabel('Zip/postal code', { exact: true }).fill('10001');
  await page.getByLabel('Phone', { exact: true }).fill('5550100100');
}

export async function pay(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Confirm & Pay/ }).click();
}
