import { expect, test } from 'vitest';
import {
  changePassword,
  verifyOtp,
  verifyUserAndSendEmail,
} from '#shared/contract/people/recovery.ts';
import { TOAST_MS } from '#shared/domain/timings.ts';
import { lose, refuse, sayOdd } from '#web/testing/dom/fake-server.ts';
import { expectLoads } from '#web/testing/dom/loading-button.ts';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { toCode, toNewPassword } from '#web/testing/dom/visitor-forms.ts';

const box = (page: Page, nth: number) => page.getByLabel(`Digit ${nth} of 6`);
const typed = async (page: Page): Promise<string> =>
  (await Promise.all([1, 2, 3, 4, 5, 6].map((nth) => box(page, nth).inputValue()))).join('');

async function open(step?: (page: Page) => Promise<void>): Promise<Page> {
  const page = await openPage('/verify-email');
  await step?.(page);
  return page;
}

async function askForCode(page: Page, email = 'ada@example.test'): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.button('Send Verification Email').click();
}

async function setPassword(page: Page, password: string, again = password): Promise<void> {
  await page.getByLabel('New password').fill(password);
  await page.getByLabel('Confirm password').fill(again);
  await page.button('Change Password').click();
}

// Shows facts 2.02, 2.85, 2.86, 2.88, 2.89, 4.12, 5.08, 5.09, 8.03, 8.22, 8.25, 8.28.
test('each recovery page has its title, its fields, its button and its way back', async () => {
  const page = await open();
  await page.getByRole('heading', { name: 'Verify Your Email', level: 1 }).waitFor();
  await expect.poll(() => document.title).toBe('Verify Your Email · Ovation');
  expect(await page.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/login');
  await toCode(page);
  await page.toasts.getByText('Verification email sent.').waitFor();
  await page.getByRole('heading', { name: 'Enter OTP', level: 1 }).waitFor();
  await expect.poll(() => document.title).toBe('Enter OTP · Ovation');
  const back = page.getByRole('link', { name: 'Use another email' });
  expect(await back.getAttribute('href')).toBe('/verify-email');
  await page.button('Verify OTP').waitFor();
  page.server.gives(verifyOtp, null);
  await box(page, 1).fill('123456');
  await page.button('Verify OTP').click();
  await page.toasts.getByText('OTP Verified successfully!').waitFor();
  await page.getByRole('heading', { name: 'Change Password', level: 1 }).waitFor();
  expect(await page.getByLabel('New password').getAttribute('type')).toBe('password');
  expect(await page.getByLabel('Confirm password').getAttribute('type')).toBe('password');
  page.server.gives(changePassword, null);
  await setPassword(page, 'a new long password');
  await page.toasts.getByText('Password changed successfully!').waitFor();
  await page.waitForPath('/login');
});

// Shows facts 2.02, 2.85, 2.86, 2.88, 2.89, 4.12, 5.08, 5.09, 8.03, 8.22, 8.25, 8.28.
test('new passwords that differ, or are too short, are said beside the form and not sent', async () => {
  const page = await open(toNewPassword);
  await setPassword(page, 'a new long password', 'another password');
  await page.getByText('Passwords do not match.').waitFor();
  await setPassword(page, 'short', 'short');
  await page.getByText('Password must be 8 to 128 characters.').waitFor();
  expect(page.server.asked(changePassword)).toEqual([]);
});

// Shows facts 2.86, 2.87, 5.06, 5.07, 8.26.
test('typing moves on, backspace on an empty box moves back, letters are refused, a paste spreads', async () => {
  holdTimers(TOAST_MS);
  const page = await open(toCode);
  await box(page, 1).fill('4');
  expect(await box(page, 2).isFocused()).toBe(true);
  await box(page, 2).fill('a');
  await box(page, 2).fill('8');
  expect(await typed(page)).toBe('48');
  await box(page, 3).press('Backspace');
  expect(await box(page, 2).isFocused()).toBe(true);
  await page.button('Verify OTP').click();
  await page.getByText('Please enter a 6-digit OTP.').waitFor();
  const pasted = new Event('paste', { bubbles: true, cancelable: true });
  Object.assign(pasted, { clipboardData: { getData: () => '123 456' } });
  (await box(page, 3).one()).dispatchEvent(pasted);
  await expect.poll(() => typed(page)).toBe('123456');
  page.server.on(verifyOtp, refuse('wrong_code', 'Invalid OTP. Please try again.'));
  await page.button('Verify OTP').click();
  await page.toasts.getByText('Invalid OTP. Please try again.').waitFor();
  await page
    .locator('form')
    .getByText('Check our latest email, or ask for another code.')
    .waitFor();
  // What was wrong is not left to be deleted box by box.
  expect(await typed(page)).toBe('');
  expect(await box(page, 1).isFocused()).toBe(true);
  page.server.gives(verifyOtp, null);
  await box(page, 1).fill('654321');
  await page.button('Verify OTP').click();
  await page.toasts.getByText('OTP Verified successfully!').waitFor();
  // The right code isn't called wrong by what was said before.
  await page.toasts.getByText('Invalid OTP.').waitFor({ state: 'gone' });
});

test('a longer code, after several unused ones, has eight boxes that take letters however they are pasted', async () => {
  const page = await open();
  page.server.gives(verifyUserAndSendEmail, null, { otp: 'a handle', codeLength: 8 });
  await askForCode(page);
  const first = page.getByLabel('Character 1 of 8');
  await first.fill('7');
  await page.button('Verify OTP').click();
  await page.getByText('Please enter the whole code.').waitFor();
  await first.fill('k7qm-2xro');
  await page.button('Verify OTP').click();
  await expect.poll(() => page.server.asked(verifyOtp)).toHaveLength(1);
  expect(page.server.asked(verifyOtp)[0]?.input).toMatchObject({ otp: 'K7QM2XR0' });
});

// Shows facts 4.13, 4.14.
test.each([
  ['/confirm-otp', 'Email not found. Please verify your email first.'],
  ['/change-password', 'Unauthorized access.'],
])('without an e-mail address %s leads back to the first page, and says why', async (path, why) => {
  const page = await openPage(path);
  await page.toasts.getByText(why).waitFor();
  await page.waitForPath('/verify-email');
  expect(await page.getByLabel('Email').inputValue()).toBe('');
});

// Shows facts 5.05, 5.29.
test.each(['', 'ada', 'ada@', `${'x'.repeat(65)}@example.com`, 'עדה@'])(
  'the address %j is refused with "Please enter a valid email address."',
  async (email) => {
    const page = await open();
    await askForCode(page, email);
    await page.getByText('Please enter a valid email address.', { exact: true }).waitFor();
    expect(page.path).toBe('/verify-email');
    expect(page.server.asked(verifyUserAndSendEmail)).toEqual([]);
  },
);

// Shows facts 8.23, 8.24.
test('a failed call and an unknown status are said, and the form keeps the address', async () => {
  const page = await open();
  page.server.next(verifyUserAndSendEmail, lose, sayOdd);
  await askForCode(page);
  await page.toasts.getByText('An error occurred. Please try again.').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.test');
  await page.button('Send Verification Email').click();
  await page.toasts.getByText('Unknown error occurred.').waitFor();
});

// Shows fact 8.21.
test('the server’s message is shown when it refuses to send another code', async () => {
  const message = 'Too many codes were asked for. Please try again later.';
  const page = await open(toCode);
  page.server.on(verifyUserAndSendEmail, refuse('rate_limited', message));
  await page.button('Send another code').click();
  await page.toasts.getByText(message, { exact: true }).waitFor();
  const first = await open();
  first.server.on(verifyUserAndSendEmail, refuse('rate_limited', message));
  await askForCode(first, 'asks.often@example.test');
  await first.toasts.getByText(message, { exact: true }).waitFor();
  expect(await first.getByLabel('Email').inputValue()).toBe('asks.often@example.test');
});

// Shows facts 5.06, 8.27.
test('a code of five digits is not sent; a failed call says "An error occurred. Please try again." and keeps the code', async () => {
  const page = await open(toCode);
  await box(page, 1).fill('12345');
  await page.button('Verify OTP').click();
  await page.getByText('Please enter a 6-digit OTP.').waitFor();
  expect(page.server.asked(verifyOtp)).toEqual([]);
  await box(page, 6).fill('6');
  await page.button('Verify OTP').click();
  await page.toasts.getByText('An error occurred. Please try again.', { exact: true }).waitFor();
  expect(await typed(page)).toBe('123456');
});

// Shows facts 8.29, 8.30.
test('a new password that is refused: "Failed to change password. Please try again."; without an answer: "An error occurred. Please try again."; what was typed stays', async () => {
  const page = await open(toNewPassword);
  page.server.next(changePassword, refuse('no_session', 'Unauthorized access.'), lose);
  await setPassword(page, 'a new long password');
  const refused = 'Failed to change password. Please try again.';
  await page.toasts.getByText(refused, { exact: true }).waitFor();
  await page.locator('form').getByText('Unauthorized access.').waitFor();
  await page.button('Change Password').click();
  await page.toasts.getByText('An error occurred. Please try again.', { exact: true }).waitFor();
  expect(await page.getByLabel('Confirm password').inputValue()).toBe('a new long password');
});

// Shows fact 4.10.
test('the buttons of the three recovery forms are idle, loading, and idle again', async () => {
  const page = await open();
  await page.getByLabel('Email').fill('ada@example.test');
  await expectLoads(page, page.button('Send Verification Email'), verifyUserAndSendEmail);
  await toCode(page);
  await box(page, 1).fill('123456');
  await expectLoads(page, page.button('Verify OTP'), verifyOtp);
  page.server.gives(verifyOtp, null);
  await page.button('Verify OTP').click();
  await page.getByLabel('New password').fill('a new long password');
  await page.getByLabel('Confirm password').fill('a new long password');
  await expectLoads(page, page.button('Change Password'), changePassword);
  expect(page.path).toBe('/change-password');
});
