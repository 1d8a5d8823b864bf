import { expect, test } from 'vitest';
import { register } from '#shared/contract/people/user.ts';
import { SIGNUP_REDIRECT_MS } from '#shared/domain/timings.ts';
import { browserPlatform } from '#web/platform/browser.ts';
import { lose, refuse, sayOdd } from '#web/testing/dom/fake-server.ts';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { expectLoads } from '#web/testing/dom/loading-button.ts';
import { holdDatabases } from '#web/testing/dom/held-databases.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { unpaidAccount, userExample } from '#web/testing/examples.ts';

const NEW = userExample({
  inSubscription: false,
  defaultIgUsername: 'new.here',
  connectedAccounts: [unpaidAccount({ igUsername: 'new.here' })],
});
const FORM = {
  Name: 'Ada Lovelace',
  Email: 'ada@example.test',
  Password: 'correct horse battery',
  'Instagram username': 'new.here',
  Phone: '5550100100',
};

async function fillIn(page: Page): Promise<void> {
  for (const [label, value] of Object.entries(FORM)) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}

async function isKept(page: Page): Promise<void> {
  for (const [label, value] of Object.entries(FORM)) {
    expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(value);
  }
}

// Shows facts 1.11, 1.12, 1.16, 2.40, 2.41, 2.79, 9.01, 9.02, 9.03, 9.04.
test('the sign-up form has name, e-mail, password, a public account’s username, phone and the first seven plans; no network password', async () => {
  const page = await openPage('/signup');
  await page.getByRole('heading', { name: 'Sign up', level: 1 }).waitFor();
  await expect.poll(() => document.title).toBe('Sign up · Ovation');
  const names = page.locator('form [name]').all();
  expect(names.map((one) => one.getAttribute('name'))).toEqual([
    'name',
    'email',
    'password',
    'igUsername',
    'phone',
    'package',
  ]);
  await page
    .getByText('A public professional account. We never ask for your Instagram password.')
    .waitFor();
  const plans = page.getByLabel('Package').locator('option').texts();
  expect(plans).toHaveLength(7);
  expect(plans[1]).toBe('100 likes per post, $17.00 a month');
  expect(plans[6]).toBe('3,000 likes per post, $189.00 a month');
});

test('sign-up asks whether to stay signed in, ticked beforehand and not for a shared device', async () => {
  const page = await openPage('/signup');
  expect(await page.getByLabel('Keep Me Signed in').isChecked()).toBe(true);
  await page.getByText('Not on a shared device.').waitFor();
  page.server.gives(register, NEW);
  await fillIn(page);
  await page.button('Sign Up').click();
  await page.toasts.getByText('Successfully Registered').waitFor();
  expect(page.server.asked(register)[0]?.input).toMatchObject({ keepSignedIn: 'true' });
});

// Shows facts 5.01, 5.02, 5.03.
test('sign-up checks: "Please enter a valid email address" without a full stop, "Phone number must be at least 10 characters"; non-digits vanish; nothing is sent', async () => {
  const page = await openPage('/signup');
  const phone = page.getByLabel('Phone');
  for (const [typed, kept] of [
    ['+1 (555) 01x', '155501'],
    [' 555-010.01 99 ', '5550100199'],
    ['555010019', '555010019'],
  ] as const) {
    await phone.fill(typed);
    expect(await phone.inputValue()).toBe(kept);
  }
  await page.getByLabel('Email').fill('ada@nowhere');
  await page.button('Sign Up').click();
  for (const sentence of [
    'Please enter your name',
    'Please enter a valid email address',
    'Password must be 8 to 128 characters.',
    'Please enter a username: 1 to 30 letters, digits, dots or underscores',
    'Phone number must be at least 10 characters',
  ]) {
    await page.getByText(sentence, { exact: true }).waitFor();
  }
  expect(page.server.asked(register)).toEqual([]);
});

// Shows fact 3.11.
test('sign-up sends name, email, password, igUsername, package and phone, whether to stay signed in and the browser’s time zone, as a form', async () => {
  const { timeZone } = browserPlatform;
  const page = await openPage('/signup', { platform: { timeZone } });
  page.server.gives(register, NEW);
  await fillIn(page);
  await page.button('Sign Up').click();
  await expect.poll(() => page.server.asked(register)).toHaveLength(1);
  const [asked] = page.server.asked(register);
  expect(asked?.isForm).toBe(true);
  expect(asked?.names).toEqual(
    [
      'email',
      'igUsername',
      'keepSignedIn',
      'name',
      'package',
      'password',
      'phone',
      'timeZone',
    ].toSorted(),
  );
  expect(asked?.input.timeZone).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
});

test('a browser that knows no zone of its own signs up all the same', async () => {
  const page = await openPage('/signup', { platform: { timeZone: () => 'Etc/Unknown' } });
  page.server.gives(register, NEW);
  await fillIn(page);
  await page.button('Sign Up').click();
  await expect.poll(() => page.server.asked(register)).toHaveLength(1);
  expect(page.server.asked(register)[0]?.names).not.toContain('timeZone');
});

// Shows facts 2.43, 4.01, 8.09.
test('"Successfully Registered": id and user are stored, and the checkout opens 2.5 s later, not at once', async () => {
  expect(SIGNUP_REDIRECT_MS).toBe(2500);
  const redirect = holdTimers(SIGNUP_REDIRECT_MS);
  const page = await openPage('/signup');
  page.server.gives(register, NEW);
  await fillIn(page);
  await page.button('Sign Up').click();
  await page.toasts.getByText('Successfully Registered').waitFor();
  await expect.poll(redirect.count).toBe(1);
  expect(page.path).toBe('/signup');
  expect(localStorage.getItem('id')).toBe(NEW.id);
  expect(localStorage.getItem('inSubscription')).toBe('false');
  expect(localStorage.getItem('ovation-client-state')).toContain('"activeusername":"new.here"');
  redirect.end();
  await page.waitForPath('/subscription');
});

test('the card of plan 9 leads over sign-up to a checkout with plan 9, which sign-up itself doesn’t offer', async () => {
  const redirect = holdTimers(SIGNUP_REDIRECT_MS);
  const page = await openPage('/signup?package=9');
  // One plan is said, not two.
  await page.getByText('10,000 likes per post, $450.00 per month').waitFor();
  expect(page.getByLabel('Package').locator('option').count()).toBe(0);
  page.server.gives(register, NEW);
  await fillIn(page);
  await page.button('Sign Up').click();
  await expect.poll(redirect.count).toBe(1);
  redirect.end();
  await page.waitForPath('/other-account-subscription?packageValue=9&defaultIgUsername=new.here');
  await page.getByText('For @new.here').waitFor();
  // For who leaves now and comes back to the checkout.
  expect(localStorage.getItem('ovation-picked-plan')).toBe(`${NEW.id} 9`);
  expect(await page.getByLabel('Choose Your plan').inputValue()).toBe('9');
});

test('who comes with a large plan can choose one that sign-up offers', async () => {
  const page = await openPage('/signup?package=9');
  await page.button('Choose another package').click();
  expect(page.getByLabel('Package').locator('option').count()).toBe(7);
  await page.getByLabel('Package').selectOption('2');
  await page.getByRole('complementary').getByText('$17.00 a month').waitFor();
});

test('the picked plan stands beside the form: likes, price, what happens next, and that nothing is paid yet', async () => {
  const page = await openPage('/signup?package=3&igUsername=%40Ada.Paints');
  const beside = page.getByRole('complementary');
  expect(await beside.text()).toContain('250 likes per post');
  await beside.getByText('$24.00 a month').waitFor();
  await beside.getByText('You pay nothing yet.').waitFor();
  await beside.getByText('We watch @ada.paints').waitFor();
  await page.getByLabel('Package').selectOption('4');
  await beside.getByText('$48.00 a month').waitFor();
});

test('a card of plans 1 to 7 is chosen at sign-up already', async () => {
  const page = await openPage('/signup?package=3');
  expect(await page.getByLabel('Package').inputValue()).toBe('3');
});

// Shows facts 1.12, 8.07, 8.08.
test('sign-up: the server’s message for a refusal; an unknown status and no answer say so by the form, which keeps its data', async () => {
  const page = await openPage('/signup');
  const taken = 'This email address is already registered. Please log in.';
  const unreadable = 'This account is private, personal or was renamed.';
  page.server.next(
    register,
    refuse('email_taken', taken, { email: taken }),
    refuse('account_unreadable', unreadable, { igUsername: unreadable }),
    sayOdd,
    lose,
  );
  page.server.gives(register, NEW);
  await fillIn(page);
  for (const message of [taken, unreadable]) {
    await page.button('Sign Up').click();
    await page.locator('form').getByText(message).waitFor();
    // Said once, beside its field.
    expect(page.toasts.count()).toBe(0);
    await isKept(page);
    expect(page.path).toBe('/signup');
  }
  for (const sentence of [
    'Something went wrong. Try logging in.',
    'It’s safe to press Sign Up again: you’ll only get one account.',
  ]) {
    await page.button('Sign Up').click();
    await page.getByText(sentence).waitFor();
    await isKept(page);
  }
  await page.button('Sign Up').click();
  await page.toasts.getByText('Successfully Registered').waitFor();
});

// Shows fact 4.10.
test('the button of sign-up is idle, loading, and idle again', async () => {
  const page = await openPage('/signup');
  await fillIn(page);
  await expectLoads(page, page.button('Sign Up'), register);
  expect(page.path).toBe('/signup');
});

test('the sign-up form stays busy while the session is begun', async () => {
  const page = await openPage('/signup');
  page.server.gives(register, NEW);
  const release = holdDatabases();
  await fillIn(page);
  await page.button('Sign Up').click();
  await expect.poll(() => localStorage.getItem('id')).toBe(NEW.id);
  expect(await page.button('Sign Up').isEnabled()).toBe(false);
  release();
  await page.toasts.getByText('Successfully Registered').waitFor();
});

test('sign-up takes the address of a profile for its name', async () => {
  const page = await openPage('/signup');
  page.server.gives(register, NEW);
  await fillIn(page);
  await page.getByLabel('Instagram username').fill('https://www.instagram.com/new.here/');
  await page.getByText('We watch @new.here and take it from there.').waitFor();
  await page.button('Sign Up').click();
  await page.toasts.getByText('Successfully Registered').waitFor();
  expect(page.server.asked(register)[0]?.input).toMatchObject({ igUsername: 'new.here' });
});
