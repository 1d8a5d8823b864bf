import { expect, test } from 'vitest';
import { RESTORE_TIMEOUT_MS } from '#shared/domain/timings.ts';
import { NEWCOMER, OWNER } from '#web/testing/dom/customer-forms.ts';
import { holdTimers } from '#web/testing/dom/held-timers.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { memoryStorage } from '#web/platform/platform-storage.fake.ts';

const PUBLIC = [
  ['/', 'Applause for every post', /Likes for every/],
  ['/login', 'Log in', 'Log in'],
  ['/signup', 'Sign up', 'Sign up'],
  ['/verify-email', 'Verify Your Email', 'Verify Your Email'],
  ['/terms-of-service', 'Terms of service', 'Terms of service'],
  ['/privacy-policy', 'Privacy policy', 'Privacy policy'],
] as const;
const CUSTOMERS = [
  ['/dashboard', 'Dashboard', /Posts by/],
  ['/my-settings', 'Account settings', 'Account settings'],
  ['/my-billing', 'Billing', 'Billing'],
  ['/my-subscriptions', 'Subscriptions', 'Subscriptions'],
  ['/subscription', 'Your plan', 'Your plan'],
  [
    '/other-account-subscription?packageValue=2&defaultIgUsername=ada.paints',
    'Your plan',
    'Your plan',
  ],
  ['/payment/credits', 'Secure checkout', 'Secure checkout'],
] as const;
const BROKEN = 'Unexpected Application Error!';

async function expectPage(page: Page, title: string, name: string | RegExp): Promise<void> {
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await expect.poll(() => document.title).toBe(`${title} · Ovation`);
}

test.each(PUBLIC)(
  'the public page %s opens at its own address, titled "%s"',
  async (path, title, heading) => {
    const page = await openPage(path);
    await expectPage(page, title, heading);
    expect(page.path).toBe(path);
  },
);

test.each(CUSTOMERS)(
  'the customer’s page %s opens at its own address, titled "%s"',
  async (path, title, heading) => {
    const page = await openPage(path, { user: OWNER });
    await expectPage(page, title, heading);
    expect(page.path).toBe(path);
  },
);

test.each(CUSTOMERS)('a visitor is sent to /login from %s', async (path) => {
  const page = await openPage(path);
  await page.getByLabel('Password', { exact: true }).waitFor();
  expect(location.pathname).toBe('/login');
});

test('a customer without a plan is sent from /dashboard to /subscription; every other page opens', async () => {
  const page = await openPage('/dashboard', { user: NEWCOMER });
  await expect.poll(() => page.path).toBe('/subscription');
  for (const path of ['/my-settings', '/my-billing', '/my-subscriptions', '/payment/credits']) {
    const other = await openPage(path, { user: NEWCOMER });
    await other.getByRole('heading', { level: 1 }).waitFor();
    expect(other.path).toBe(path);
  }
});

test('an unknown path shows "Unexpected Application Error!", which leads to the first page', async () => {
  const page = await openPage('/nothing/here');
  await expectPage(page, BROKEN, BROKEN);
  const link = page.getByRole('link', { name: 'Go to the home page' });
  expect(await link.getAttribute('href')).toBe('/');
});

test('nothing is shown until the kept state is restored; after 5 s it is given up, and the page works', async () => {
  expect(RESTORE_TIMEOUT_MS).toBe(5000);
  const restoring = holdTimers(RESTORE_TIMEOUT_MS);
  const storage = memoryStorage();
  const never = new Promise<string>(() => undefined) as unknown as string;
  const page = await openPage('/login', {
    platform: {
      storage: {
        ...storage,
        read: (key) => (key === 'ovation-client-state' ? never : storage.read(key)),
      },
    },
  });
  await expect.poll(restoring.count).toBe(1);
  expect(await page.text()).toBe('');
  restoring.end();
  await expectPage(page, 'Log in', 'Log in');
  await page.getByLabel('Email').fill('ada@example.test');
});
