import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { newCustomer, signUp } from './customer.ts';
import { expectLoads } from './loading-button.ts';
import { mailedCode } from './mailed-code.ts';
import { startEmbedded } from './product.ts';
import { shareProduct } from './share-product.ts';

const shared = shareProduct(startEmbedded);

const customer = newCustomer('forgetful.ada');
const CALL = '**/user/user/';

beforeAll(async () => {
  await shared.sandbox.createAccount({ username: customer.igUsername, posts: 1 });
  const page = await open('/signup');
  await signUp(page, shared.product.url, customer);
  await page.waitForURL('**/subscription');
});

async function open(path: string): Promise<Page> {
  const page = await (await shared.browser.newContext()).newPage();
  shared.pages.push(page);
  await page.goto(`${shared.product.url}${path}`);
  return page;
}

async function askForCode(page: Page, email = customer.email): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send Verification Email' }).click();
}

async function atCode(email?: string): Promise<Page> {
  const page = await open('/verify-email');
  await askForCode(page, email);
  await page.waitForURL('**/confirm-otp');
  return page;
}

const box = (page: Page, nth: number) => page.getByLabel(`Digit ${nth} of 6`);
const valuesOf = async (page: Page): Promise<string> =>
  (await Promise.all([1, 2, 3, 4, 5, 6].map((nth) => box(page, nth).inputValue()))).join('');

test('a forgotten password is recovered with the code from the mail, and the old one no longer logs in', async () => {
  const page = await open('/login');
  await page.getByRole('link', { name: 'Forgot Password ?' }).click();
  await page.getByRole('heading', { name: 'Verify Your Email' }).waitFor();
  await askForCode(page);
  await page.getByText('Verification email sent.').waitFor();
  await page.getByRole('heading', { name: 'Enter OTP' }).waitFor();
  await box(page, 1).fill(await mailedCode(shared.sandbox, customer.email));
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await page.getByText('OTP Verified successfully!').waitFor();
  await page.waitForURL('**/change-password');
  await page.getByLabel('New password').fill('a new long password');
  await page.getByLabel('Confirm password').fill('another password');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await page.getByText('Passwords do not match.').waitFor();
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await page.getByText('Password must be 8 to 128 characters.').waitFor();
  await page.getByLabel('New password').fill('a new long password');
  await page.getByLabel('Confirm password').fill('a new long password');
  await page.getByRole('button', { name: 'Change Password' }).click();
  await page.getByText('Password changed successfully!').waitFor();
  await page.waitForURL('**/login');
  const logIn = async (password: string): Promise<void> => {
    await page.getByLabel('Email').fill(customer.email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Log In' }).click();
  };
  await logIn(customer.password);
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('');
  await logIn('a new long password');
  await page.getByText('Successfully logged in').waitFor();
});

test('typing moves on, backspace on an empty box moves back, letters are refused, a paste spreads', async () => {
  const page = await atCode('nobody@example.test');
  await box(page, 1).focus();
  await page.keyboard.type('4a8');
  expect(await valuesOf(page)).toBe('48');
  await page.keyboard.press('Backspace');
  expect(await box(page, 2).evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await page.getByText('Please enter a 6-digit OTP.').waitFor();
  await box(page, 3).evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', '123 456');
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  });
  await expect.poll(() => valuesOf(page)).toBe('123456');
  await page.getByRole('button', { name: 'Verify OTP' }).click();
  await page.getByText('Invalid OTP. Please try again.').first().waitFor();
});

test('a longer code, after several unused ones, has eight boxes that take letters however they are pasted', async () => {
  const page = await open('/verify-email');
  await page.route(`${CALL}verifyUserAndSendEmail`, (route) =>
    route.fulfill({ json: { status: 'success', data: null, otp: 'handle', codeLength: 8 } }),
  );
  await askForCode(page, 'guessed@example.test');
  const first = page.getByLabel('Character 1 of 8');
  await first.fill('7');
  await button(page, 'Verify OTP').click();
  await page.getByText('Please enter all the characters of the code.').waitFor();
  await first.fill('k7qm-2xro');
  await expectAccessible(page);
  const asked = page.waitForRequest(`${CALL}verify-otp`);
  await button(page, 'Verify OTP').click();
  expect((await asked).postDataJSON()).toMatchObject({ otp: 'K7QM2XR0' });
});

test('without an e-mail address the later pages lead back to the first, and say why', async () => {
  const page = await open('/confirm-otp');
  await page.getByText('Email not found. Please verify your email first.').waitFor();
  await page.waitForURL('**/verify-email');
  await page.goto(`${shared.product.url}/change-password`);
  await page.getByText('Unauthorized access.').waitFor();
  await page.waitForURL('**/verify-email');
  expect(await page.getByLabel('Email').inputValue()).toBe('');
});

test.each(['', 'ada', 'ada@', `${'x'.repeat(65)}@example.com`, 'עדה@'])(
  'the address %j is refused with "Please enter a valid email address."',
  async (email) => {
    const page = await open('/verify-email');
    await askForCode(page, email);
    await page.getByText('Please enter a valid email address.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/verify-email');
  },
);

test('a failed call and an unknown status are said, and the form keeps the address', async () => {
  const page = await open('/verify-email');
  await page.route(`${CALL}verifyUserAndSendEmail`, (route) => route.abort());
  await askForCode(page);
  await page.getByText('An error occurred. Please try again.').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe(customer.email);
  await page.unroute(`${CALL}verifyUserAndSendEmail`);
  await page.route(`${CALL}verifyUserAndSendEmail`, (route) =>
    route.fulfill({ json: { status: 'odd' } }),
  );
  await page.getByRole('button', { name: 'Send Verification Email' }).click();
  await page.getByText('Unknown error occurred.').first().waitFor();
});

test.each(['light', 'dark'] as const)('the recovery pages are accessible, %s', async (scheme) => {
  const page = await atCode('nobody.else@example.test');
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await expectAccessible(page);
  expect(new URL(page.url()).pathname).toBe('/confirm-otp');
  await page.getByRole('link', { name: 'Use another address' }).click();
  await page.getByRole('heading', { name: 'Verify Your Email' }).waitFor();
  await expectAccessible(page);
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const toast = (page: Page, sentence: string) =>
  page.locator('[data-toast]').getByText(sentence, { exact: true });

/** The last page, reached with a code the server never saw: it holds no grant. */
async function atNewPassword(): Promise<Page> {
  const page = await atCode('not.granted@example.test');
  await page.route(`${CALL}verify-otp`, (route) =>
    route.fulfill({ json: { status: 'success', data: null } }),
  );
  await box(page, 1).fill('123456');
  await button(page, 'Verify OTP').click();
  await page.waitForURL('**/change-password');
  return page;
}

test('each recovery page has its title, its fields, its button and its way back', async () => {
  const page = await open('/verify-email');
  await page.getByRole('heading', { name: 'Verify Your Email', level: 1 }).waitFor();
  await button(page, 'Send Verification Email').waitFor();
  expect(await page.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/login');
  const last = await atNewPassword();
  await last.getByRole('heading', { name: 'Change Password', level: 1 }).waitFor();
  expect(await last.getByLabel('New password').getAttribute('type')).toBe('password');
  expect(await last.getByLabel('Confirm password').getAttribute('type')).toBe('password');
  await button(last, 'Change Password').waitFor();
});

test('the server’s message is shown when it refuses to send another code', async () => {
  const page = await atCode('asks.often@example.test');
  const refused = 'Too many codes were asked for. Please try again later.';
  await page.route(`${CALL}verifyUserAndSendEmail`, (route) =>
    route.fulfill({
      status: 429,
      json: { status: 'error', code: 'rate_limited', message: refused },
    }),
  );
  await button(page, 'Send another code').click();
  await toast(page, refused).waitFor();
  await page.goto(`${shared.product.url}/verify-email`);
  await askForCode(page, 'asks.often@example.test');
  await toast(page, refused).waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('asks.often@example.test');
});

test('a code of five digits is not sent; a failed call says "An error occurred. Please try again." and keeps the code', async () => {
  const page = await atCode('five.digits@example.test');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await box(page, 1).fill('12345');
  await button(page, 'Verify OTP').click();
  await page.getByText('Please enter a 6-digit OTP.').waitFor();
  expect(sent.filter((url) => url.includes('verify-otp'))).toEqual([]);
  await box(page, 6).fill('6');
  await page.route(`${CALL}verify-otp`, (route) => route.abort(), { times: 1 });
  await button(page, 'Verify OTP').click();
  await toast(page, 'An error occurred. Please try again.').waitFor();
  expect(await valuesOf(page)).toBe('123456');
});

test('a new password that is refused: "Failed to change password. Please try again."; without an answer: "An error occurred. Please try again."; what was typed stays', async () => {
  const page = await atNewPassword();
  await page.getByLabel('New password').fill('a new long password');
  await page.getByLabel('Confirm password').fill('a new long password');
  await button(page, 'Change Password').click();
  await toast(page, 'Failed to change password. Please try again.').waitFor();
  await page.locator('form').getByText('Unauthorized access.').waitFor();
  await page.route(`${CALL}change-password`, (route) => route.abort(), { times: 1 });
  await button(page, 'Change Password').click();
  await toast(page, 'An error occurred. Please try again.').waitFor();
  expect(await page.getByLabel('Confirm password').inputValue()).toBe('a new long password');
});

test('the buttons of the three recovery forms are idle, loading, and idle again', async () => {
  const page = await open('/verify-email');
  await page.getByLabel('Email').fill('slow.net@example.test');
  await expectLoads(page, button(page, 'Send Verification Email'), `${CALL}verifyUserAndSendEmail`);
  await button(page, 'Send Verification Email').click();
  await page.waitForURL('**/confirm-otp');
  await box(page, 1).fill('123456');
  await expectLoads(page, button(page, 'Verify OTP'), `${CALL}verify-otp`);
  const last = await atNewPassword();
  await last.getByLabel('New password').fill('a new long password');
  await last.getByLabel('Confirm password').fill('a new long password');
  await expectLoads(last, button(last, 'Change Password'), `${CALL}change-password`);
  expect(new URL(last.url()).pathname).toBe('/change-password');
});
