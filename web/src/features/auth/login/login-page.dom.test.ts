import { expect, test } from 'vitest';
import { login } from '#shared/contract/people/user.ts';
import { TOAST_MS } from '#shared/domain/timings.ts';
import { breakDown, lose, refuse, sayOdd } from '#web/testing/dom/fake-server.ts';
import { holdDatabases } from '#web/testing/dom/held-databases.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { expectLoads } from '#web/testing/dom/loading-button.ts';
import { userExample } from '#web/testing/examples.ts';

const WRONG = 'That email or password isn’t right.';

async function logIn(page: Page, email = 'ada@example.test'): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.button('Log In').click();
}

// Shows facts 2.35, 2.37.
test('the log-in form has e-mail, password and "Keep Me Signed in", on by default, and leads to sign-up and to "Forgot Password ?"', async () => {
  const page = await openPage('/login');
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  await expect.poll(() => document.title).toBe('Log in · Ovation');
  expect(await page.getByLabel('Keep Me Signed in').isChecked()).toBe(true);
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('password');
  const target = (name: string) =>
    page.getByRole('link', { name, exact: true }).getAttribute('href');
  expect(await target('Sign Up')).toBe('/signup');
  expect(await target('Forgot Password ?')).toBe('/verify-email');
});

// Shows facts 2.02, 2.85, 2.86, 2.88, 2.89, 4.12, 5.04, 5.08, 5.09, 8.02, 8.03, 8.22, 8.25, 8.28.
test('an empty log-in is sent to the server, whose message is an error toast, once; the form is cleared', async () => {
  const page = await openPage('/login');
  page.server.on(login, refuse('wrong_credentials', WRONG));
  await page.button('Log In').click();
  await page.toasts.getByText(WRONG).waitFor();
  expect(page.server.asked(login)[0]?.input).toMatchObject({ email: '', password: '' });
  await logIn(page, 'nobody@example.test');
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe('');
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  await page
    .locator('form')
    .getByText('You’re not logged in yet. Please enter your email and password again.')
    .waitFor();
  expect(page.locator('form').getByText(WRONG).count()).toBe(0);
});

// Shows facts 8.04, 8.05.
test('an unknown status at log-in: "Unknown error occurred."; no answer: a sentence by the form, no toast, and the form stays', async () => {
  const page = await openPage('/login');
  page.server.next(login, sayOdd, lose, breakDown);
  page.server.gives(login, userExample());
  await logIn(page);
  await page.toasts.getByText('Unknown error occurred.').waitFor();
  expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.test');
  for (const _ of ['lost', 'broken']) {
    await page.button('Log In').click();
    await page.getByText('We couldn’t reach the server.').waitFor();
    await page.toasts.waitFor({ state: 'gone' });
    expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.test');
  }
  expect(page.reports).toContain('Log-in got no answer');
  await page.button('Log In').click();
  await expect.poll(() => page.path).toBe('/dashboard');
});

// Shows facts 8.01, 8.06.
test('"Successfully logged in" stays for 5 s and then closes by itself', async () => {
  expect(TOAST_MS).toBe(5000);
  const closing = holdTimers(TOAST_MS);
  const page = await openPage('/login');
  page.server.gives(login, userExample());
  await logIn(page);
  const toast = page.toasts.filter({ hasText: 'Successfully logged in' });
  await toast.waitFor();
  await expect.poll(() => page.path).toBe('/dashboard');
  await expect.poll(closing.count).toBe(1);
  expect(toast.count()).toBe(1);
  closing.end();
  await toast.waitFor({ state: 'gone' });
});

// Shows facts 3.04, 3.16, 3.18, 4.01.
test('a log-in stores id and inSubscription, and one key of state with four parts: user, accounts, active and dialog account', async () => {
  const user = userExample();
  const page = await openPage('/login');
  page.server.gives(login, user);
  await logIn(page);
  await expect.poll(() => page.path).toBe('/dashboard');
  expect(localStorage.getItem('id')).toBe(user.id);
  expect(localStorage.getItem('inSubscription')).toBe('true');
  const { state } = JSON.parse(localStorage.getItem('ovation-client-state') ?? '{}') as {
    state: Record<string, object>;
  };
  expect(Object.keys(state).toSorted()).toEqual(
    ['activeAccount', 'connectedAccounts', 'modalAccount', 'user'].toSorted(),
  );
  expect(state).toMatchObject({
    user: { id: user.id, email: user.email },
    connectedAccounts: [{ igUsername: 'ada.paints' }],
    activeAccount: { activeusername: 'ada.paints' },
    modalAccount: null,
  });
  expect(Object.keys(state['activeAccount'] ?? {}).toSorted()).toEqual(
    ['activeIgId', 'activeusername', 'profilePic'].toSorted(),
  );
});

// Shows fact 2.36.
test.each([true, false])(
  'the server is told whether to keep the person signed in: %j',
  async (isTicked) => {
    const page = await openPage('/login');
    page.server.gives(login, userExample());
    await page.getByLabel('Keep Me Signed in').setChecked(isTicked);
    await logIn(page);
    await expect.poll(() => page.path).toBe('/dashboard');
    expect(page.server.asked(login)[0]?.input).toMatchObject({ keepSignedIn: String(isTicked) });
  },
);

test('a log-in leads on to the page that was asked for, as from a link in a mail', async () => {
  const page = await openPage('/my-billing?from=mail');
  await page.getByRole('heading', { name: 'Log in', level: 1 }).waitFor();
  page.server.gives(login, userExample());
  await logIn(page);
  await expect.poll(() => page.path).toBe('/my-billing?from=mail');
});

// Shows facts 2.38, 2.42.
test.each([
  [true, '/dashboard'],
  [false, '/subscription'],
])(
  'whoever has a stored id and is subscribed (%j) is sent from /login and /signup to %s',
  async (inSubscription, home) => {
    const user = userExample({ inSubscription });
    for (const path of ['/login', '/signup']) {
      const page = await openPage(path, { user });
      await expect.poll(() => page.path).toBe(home);
    }
  },
);

// Shows facts 2.38, 2.42.
test.each([
  [true, '/dashboard'],
  [false, '/subscription'],
])('a log-in of somebody subscribed (%j) leads to %s', async (inSubscription, home) => {
  const page = await openPage('/login');
  page.server.gives(login, userExample({ inSubscription }));
  await logIn(page);
  await expect.poll(() => page.path).toBe(home);
});

// Shows fact 4.10.
test('the button of the log-in is idle, loading, and idle again', async () => {
  const page = await openPage('/login');
  await page.getByLabel('Email').fill('ada@example.test');
  await expectLoads(page, page.button('Log In'), login);
  expect(page.path).toBe('/login');
});

test('a refused log-in’s toast doesn’t follow to the page for a forgotten password', async () => {
  holdTimers(TOAST_MS);
  const page = await openPage('/login');
  page.server.on(login, refuse('wrong_credentials', WRONG));
  await logIn(page);
  await page.toasts.getByText(WRONG).waitFor();
  await page.getByRole('link', { name: 'Forgot Password ?' }).click();
  await page.getByRole('heading', { name: 'Verify Your Email', level: 1 }).waitFor();
  await expect.poll(() => page.toasts.count()).toBe(0);
});

test('the log-in form stays busy while the session is begun', async () => {
  const page = await openPage('/login');
  page.server.gives(login, userExample());
  const release = holdDatabases();
  await logIn(page);
  await expect.poll(() => localStorage.getItem('id')).toBe(userExample().id);
  expect(await page.button('Log In').isEnabled()).toBe(false);
  release();
  await page.toasts.getByText('Successfully logged in').waitFor();
});
