import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { newCustomer, signUp } from './customer.ts';
import { holdTimers } from './held-timers.ts';
import { expectLoads } from './loading-button.ts';
import { startEmbedded } from './product.ts';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const shared = shareProduct(startEmbedded);

const LOGIN = '**/user/user/login';
const REGISTER = '**/user/user/register';
const WRONG = 'The e-mail address or the password is wrong.';

/** Two customers there are: one with a plan, one without. */
const paying = newCustomer('pays.monthly');
const waiting = newCustomer('pays.later');

beforeAll(async () => {
  const { page } = await subscribedPage(shared, paying.igUsername);
  await page.context().close();
  await shared.sandbox.createAccount({ username: waiting.igUsername });
  await fetch(`${shared.product.url}/user/user/register`, {
    method: 'POST',
    body: new URLSearchParams({ ...waiting, package: '1' }),
  });
});

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (await shared.browser.newContext(options)).newPage();
  shared.pages.push(page);
  await page.goto(shared.product.url + path);
  return page;
}

async function logIn(page: Page, email: string, password = paying.password): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log In' }).click();
}

const toasts = (page: Page) => page.locator('[data-toast]');
const stored = (page: Page, key: string): Promise<string | null> =>
  page.evaluate((name) => localStorage.getItem(name), key);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const pathname = (page: Page): string => new URL(page.url()).pathname;

test('the log-in form has e-mail, password and "Keep Me Signed in", on by default, and leads to sign-up and to "Forgot Password ?"', async () => {
  const page = await open('/login');
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  await expect.poll(() => page.title()).toBe('Log in · Ovation');
  expect(await page.getByLabel('Keep Me Signed in').isChecked()).toBe(true);
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password');
  const target = (name: string) =>
    page.getByRole('link', { name, exact: true }).getAttribute('href');
  expect(await target('Sign Up')).toBe('/signup');
  expect(await target('Forgot Password ?')).toBe('/verify-email');
});

test('an empty log-in is sent to the server, whose message is an error toast and stands by the form, which is cleared', async () => {
  const page = await open('/login');
  const asked = page.waitForRequest(LOGIN);
  await button(page, 'Log In').click();
  const form = new URLSearchParams((await asked).postData() ?? '');
  expect([form.get('email'), form.get('password')]).toEqual(['', '']);
  await toasts(page).getByText(WRONG).waitFor();
  await logIn(page, 'nobody@example.test', 'not the password');
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('');
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  await page.locator('form').getByText(WRONG).waitFor();
});

test('an unknown status at log-in: "Unknown error occurred."; no answer: a sentence by the form, no toast, and the form stays', async () => {
  const page = await open('/login');
  await page.route(LOGIN, (route) => route.fulfill({ json: { status: 'odd' } }), { times: 1 });
  await logIn(page, paying.email);
  await toasts(page).getByText('Unknown error occurred.').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe(paying.email);
  const logged = page.waitForEvent('console', (line) => line.text().includes('no answer'));
  await page.route(LOGIN, (route) => route.abort(), { times: 1 });
  const before = await toasts(page).count();
  await button(page, 'Log In').click();
  await page.getByText('No answer came back, so you may or may not be logged in.').waitFor();
  await logged;
  expect(await toasts(page).count()).toBeLessThanOrEqual(before);
  expect(await page.getByLabel('Email').inputValue()).toBe(paying.email);
  await button(page, 'Log In').click();
  await page.waitForURL('**/dashboard');
});

test('"Successfully logged in" stands at top right and closes by itself after 5 s', async () => {
  const page = await open('/login', { viewport: { width: 1280, height: 900 } });
  const closing = await holdTimers(page, 5000);
  await logIn(page, paying.email);
  const toast = toasts(page).filter({ hasText: 'Successfully logged in' });
  await toast.waitFor();
  await page.waitForURL('**/dashboard');
  const place = await toast.boundingBox();
  expect(place?.y).toBeLessThan(120);
  expect((place?.x ?? 0) + (place?.width ?? 0)).toBeGreaterThan(1280 - 60);
  await expect.poll(closing.count).toBe(1);
  expect(await toast.count()).toBe(1);
  await closing.end();
  await toast.waitFor({ state: 'detached' });
});

test('a log-in stores id and inSubscription, and one key of state with four parts: user, accounts, active and dialog account', async () => {
  const page = await open('/login');
  await logIn(page, paying.email);
  await page.waitForURL('**/dashboard');
  expect(await stored(page, 'id')).toMatch(/^[\da-f-]{36}$/);
  expect(await stored(page, 'inSubscription')).toBe('true');
  const kept = JSON.parse((await stored(page, 'ovation-client-state')) ?? '{}') as {
    state: Record<string, unknown>;
  };
  expect(Object.keys(kept.state).sort()).toEqual(
    ['activeAccount', 'connectedAccounts', 'modalAccount', 'user'].sort(),
  );
  expect(kept.state).toMatchObject({
    user: { id: await stored(page, 'id'), email: paying.email },
    connectedAccounts: [{ igUsername: paying.igUsername }],
    activeAccount: { activeusername: paying.igUsername },
    modalAccount: null,
  });
  expect(Object.keys(kept.state['activeAccount'] ?? {}).sort()).toEqual(
    ['activeIgId', 'activeusername', 'profilePic'].sort(),
  );
});

test('ticked, the session outlives the browser for 30 days; unticked, it ends with it', async () => {
  const daysLeft = async (isTicked: boolean): Promise<number> => {
    const page = await open('/login');
    await page.getByLabel('Keep Me Signed in').setChecked(isTicked);
    await logIn(page, paying.email);
    await page.waitForURL('**/dashboard');
    const session = (await page.context().cookies()).find(({ name }) => name === 'ovation');
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    const expires = session?.expires ?? 0;
    return expires === -1 ? -1 : Math.round((expires - Date.now() / 1000) / 86_400);
  };
  expect(await daysLeft(true)).toBe(30);
  expect(await daysLeft(false)).toBe(-1);
});

test('sign-up asks it too, ticked beforehand and not for a shared device, and then stays signed in for 30 days', async () => {
  await shared.sandbox.createAccount({ username: 'stays.here' });
  const page = await open('/signup');
  expect(await page.getByLabel('Keep Me Signed in').isChecked()).toBe(true);
  await page.getByText('Not on a shared device.').waitFor();
  await signUp(page, shared.product.url, newCustomer('stays.here'));
  await toasts(page).getByText('Successfully Registered').waitFor();
  const session = (await page.context().cookies()).find(({ name }) => name === 'ovation');
  expect(Math.round(((session?.expires ?? 0) - Date.now() / 1000) / 86_400)).toBe(30);
});

test('a log-in leads on to the page that was asked for, as from a link in a mail', async () => {
  const page = await open('/my-billing?from=mail');
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  await logIn(page, paying.email);
  await page.waitForURL(/\/my-billing/);
  expect(new URL(page.url()).search).toBe('?from=mail');
});

test('whoever has a stored id is sent from /login and /signup to /dashboard when subscribed, otherwise to /subscription', async () => {
  for (const [customer, home] of [
    [paying, '/dashboard'],
    [waiting, '/subscription'],
  ] as const) {
    const page = await open('/login');
    await logIn(page, customer.email);
    await page.waitForURL(`**${home}`);
    for (const path of ['/login', '/signup']) {
      await page.goto(shared.product.url + path);
      await page.waitForURL(`**${home}`);
      expect(pathname(page)).toBe(home);
    }
  }
});

test('the sign-up form has name, e-mail, password, a public account’s username, phone and the first seven plans; no network password', async () => {
  const page = await open('/signup');
  await page.getByRole('heading', { name: 'Sign up', level: 1 }).waitFor();
  await expect.poll(() => page.title()).toBe('Sign up · Ovation');
  const names = await page
    .locator('form [name]')
    .evaluateAll((all) => all.map((one) => one.getAttribute('name')));
  expect(names).toEqual(['name', 'email', 'password', 'igUsername', 'phone', 'package']);
  await page
    .getByText('A public professional account. We never ask for its password.')
    .waitFor({ timeout: 5000 });
  const plans = await page.getByLabel('Package').locator('option').allTextContents();
  expect(plans).toHaveLength(7);
  expect(plans[1]).toBe('100 likes per post, $17.00 per month');
  expect(plans[6]).toBe('3,000 likes per post, $189.00 per month');
});

test('sign-up checks: "Please enter a valid email address" without a full stop, "Phone number must be at least 10 characters"; non-digits vanish; nothing is sent', async () => {
  const page = await open('/signup');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  const phone = page.getByLabel('Phone');
  await phone.pressSequentially('+1 (555) 01x');
  expect(await phone.inputValue()).toBe('155501');
  await phone.fill('');
  await phone.evaluate((field) => {
    (field as HTMLInputElement).focus();
    document.execCommand('insertText', false, ' 555-010.01 99 ');
  });
  expect(await phone.inputValue()).toBe('5550100199');
  await phone.fill('555010019');
  await page.getByLabel('Email').fill('ada@nowhere');
  await button(page, 'Sign Up').click();
  for (const sentence of [
    'Please enter your name',
    'Please enter a valid email address',
    'Password must be 8 to 128 characters.',
    'Please enter a username: 1 to 30 letters, digits, dots or underscores',
    'Phone number must be at least 10 characters',
  ]) {
    await page.getByText(sentence, { exact: true }).waitFor();
  }
  expect(sent.filter((url) => url.includes('/register'))).toEqual([]);
});

test('sign-up sends name, email, password, igUsername, package and phone, and whether to stay signed in, as a form', async () => {
  await shared.sandbox.createAccount({ username: 'exact.fields' });
  const page = await open('/signup');
  const asked = page.waitForRequest(REGISTER);
  await signUp(page, shared.product.url, newCustomer('exact.fields'));
  const request = await asked;
  expect(request.headers()['content-type']).toContain('application/x-www-form-urlencoded');
  expect([...new URLSearchParams(request.postData() ?? '').keys()].sort()).toEqual(
    ['email', 'igUsername', 'keepSignedIn', 'name', 'package', 'password', 'phone'].sort(),
  );
});

test('"Successfully Registered": id and user are stored, and the checkout opens 2.5 s later, not at once', async () => {
  await shared.sandbox.createAccount({ username: 'new.here' });
  const page = await open('/signup');
  const redirect = await holdTimers(page, 2500);
  await signUp(page, shared.product.url, newCustomer('new.here'));
  await toasts(page).getByText('Successfully Registered').waitFor();
  await expect.poll(redirect.count).toBe(1);
  expect(pathname(page)).toBe('/signup');
  expect(await stored(page, 'inSubscription')).toBe('false');
  expect(await stored(page, 'ovation-client-state')).toContain('"activeusername":"new.here"');
  await redirect.end();
  await page.waitForURL('**/subscription');
});

test('sign-up: the server’s message for a refusal; an unknown status and no answer say so by the form, which keeps its data', async () => {
  await shared.sandbox.createAccount({ username: 'kept.form' });
  const page = await open('/signup');
  const customer = newCustomer('kept.form');
  const isKept = async (): Promise<void> => {
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(customer.name);
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(customer.password);
  };
  await signUp(page, shared.product.url, { ...customer, email: paying.email });
  await toasts(page)
    .getByText('This e-mail address is already registered. Please log in.')
    .waitFor();
  await isKept();
  await page.getByLabel('Email').fill(customer.email);
  await page.route(REGISTER, (route) => route.fulfill({ json: { status: 'odd' } }), { times: 1 });
  await button(page, 'Sign Up').click();
  await page.getByText('The server gave an answer this page does not know.').waitFor();
  await isKept();
  await page.route(REGISTER, (route) => route.abort(), { times: 1 });
  await button(page, 'Sign Up').click();
  await page
    .getByText('No answer came back, so your account may or may not have been created.')
    .waitFor();
  await isKept();
  await button(page, 'Sign Up').click();
  await page.waitForURL('**/subscription');
});

test('the buttons of log-in and sign-up are idle, loading, and idle again', async () => {
  const page = await open('/login');
  await page.getByLabel('Email').fill(paying.email);
  await expectLoads(page, button(page, 'Log In'), LOGIN);
  await page.route(REGISTER, (route) => route.abort(), { times: 1 });
  await signUp(page, shared.product.url, newCustomer('loads.slowly'));
  await page.getByText('so your account may or may not have been created').waitFor();
  await expectLoads(page, button(page, 'Sign Up'), REGISTER);
  expect(pathname(page)).toBe('/signup');
});
