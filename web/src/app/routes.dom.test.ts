import { expect, test } from 'vitest';
import type { Platform } from '#shared/platform.ts';
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

// Shows facts 2.01, 2.02.
test.each(PUBLIC)(
  'the public page %s opens at its own address, titled "%s"',
  async (path, title, heading) => {
    const page = await openPage(path);
    await expectPage(page, title, heading);
    expect(page.path).toBe(path);
  },
);

// Shows fact 2.04.
test.each(CUSTOMERS)(
  'the customer’s page %s opens at its own address, titled "%s"',
  async (path, title, heading) => {
    const page = await openPage(path, { user: OWNER });
    await expectPage(page, title, heading);
    expect(page.path).toBe(path);
  },
);

// Shows facts 2.46, 6.02, 6.03.
test.each(CUSTOMERS)('a visitor is sent to /login from %s', async (path) => {
  const page = await openPage(path);
  await page.getByLabel('Password', { exact: true }).waitFor();
  expect(location.pathname).toBe('/login');
});

// Shows facts 2.47, 6.02.
test('a customer without a plan is sent from /dashboard to /subscription; every other page opens', async () => {
  const page = await openPage('/dashboard', { user: NEWCOMER });
  await expect.poll(() => page.path).toBe('/subscription');
  for (const path of ['/my-settings', '/my-billing', '/my-subscriptions', '/payment/credits']) {
    const other = await openPage(path, { user: NEWCOMER });
    await other.getByRole('heading', { level: 1 }).waitFor();
    expect(other.path).toBe(path);
  }
});

/** What an error page says, the brand first, and where its links lead. */
async function errorPage(page: Page): Promise<unknown[]> {
  await expectPage(page, BROKEN, BROKEN);
  const says = page.locator('header a, h1, main p:not([data-ways]), main button').texts();
  const links = page.locator('main a').all();
  return [says, links.map((link) => [link.textContent, link.getAttribute('href')])];
}
/** A shell that fails once: after the app has begun, as its first page asks who is signed in. */
function broken(): Pick<Platform, 'storage'> {
  const storage = memoryStorage();
  let asked = 0;
  const read = (key: string): string | null => {
    if (key === 'id') asked += 1;
    if (key === 'id' && asked === 2) throw new Error('broken');
    return storage.read(key);
  };
  return { storage: { ...storage, read } };
}
const HOME = ['Go to the home page', '/'];

test('an unknown path shows "Unexpected Application Error!", says so plainly, and leads home', async () => {
  expect(await errorPage(await openPage('/nothing/here'))).toEqual([
    [
      'Ovation',
      BROKEN,
      'There’s no page at this address.',
      'It may have a typo, or the page may have moved.',
    ],
    [HOME],
  ]);
});

test('a page that breaks says what is safe, and how to go on: reload, write to us, or go home', async () => {
  const page = await openPage('/login', { platform: broken() });
  expect(await errorPage(page)).toEqual([
    [
      'Ovation',
      BROKEN,
      'We couldn’t show this page.',
      'Nothing you did before is lost. If reloading doesn’t help, write to us.',
      'Reload the page',
    ],
    [['write to us', '/#contact'], HOME],
  ]);
  expect(page.reports).toEqual(['A page broke']);
});

test('offline, a page whose code isn’t on this device says that, and that nothing is lost', async () => {
  const page = await openPage('/login', { platform: { ...broken(), isOnline: () => false } });
  expect(await errorPage(page)).toEqual([
    [
      'Ovation',
      BROKEN,
      'You’re offline, and this page isn’t on this device yet.',
      'Nothing you did before is lost. Connect, then reload the page.',
      'Reload the page',
    ],
    [HOME],
  ]);
});

// Shows facts 2.10, 3.17.
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
