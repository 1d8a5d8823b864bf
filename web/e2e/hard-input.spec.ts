import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { updateProfile } from '#shared/contract/people/own-account.ts';
import { expectAccessible } from './axe.ts';
import { ENLARGED, findCrowded } from './crowded.ts';
import { crowdReplica, UNBROKEN } from './crowded-replica.ts';
import { followTo, openScreen } from './open-screen.ts';
import { overflow } from './overflow.ts';
import type { Screen } from './screens.ts';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const ACCOUNTS = 1000;
const ARABIC = 'عبد الرحمن بن محمد الفاتح';

const shared = shareProduct();
let visitor: Page;
let customer: Page;

beforeAll(async () => {
  visitor = await (await shared.browser.newContext({ viewport: ENLARGED })).newPage();
  const { page, userId } = await subscribedPage(shared, 'hard.input', { ...ENLARGED, posts: 6 });
  customer = page;
  const renamed = await page.request.post(shared.product.url + updateProfile.path, {
    data: { userId, name: `${ARABIC} 山田花子`, phone: '5550100100', timeZone: 'Asia/Tokyo' },
  });
  if (!renamed.ok()) throw new Error(`The name could not be saved: ${await renamed.text()}`);
  await crowdReplica(page, ACCOUNTS);
  for (const each of [visitor, customer]) await each.emulateMedia({ reducedMotion: 'reduce' });
  // Loaded once, for all of the customer’s screens.
  await openScreen(customer, `${shared.product.url}/help`);
});

const SIGN_UP: Screen[] = [
  { name: 'landing page', path: '/' },
  {
    name: 'sign-up with its messages and an Arabic name',
    path: '/signup',
    open: async (page) => {
      await page.getByLabel('Name', { exact: true }).fill(ARABIC);
      await page.getByRole('button', { name: 'Sign Up' }).click();
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
];

const posts = (page: Page) => page.locator('[data-post]');
const CUSTOMER: Screen[] = [
  {
    name: 'dashboard',
    path: '/dashboard',
    open: async (page) => posts(page).getByText('صباح').first().waitFor(),
  },
  {
    name: 'dashboard with filters and chart',
    path: '/dashboard?chart=open',
    open: async (page) => {
      await posts(page).first().waitFor();
      await page.getByRole('button', { name: 'Filter' }).first().click();
      await page.getByLabel('Sort posts').waitFor();
    },
  },
  {
    name: 'receipt of a caption without a space',
    path: '/dashboard',
    open: async (page) => {
      const longest = posts(page).filter({ hasText: UNBROKEN.slice(0, 60) });
      await longest.first().getByRole('link').click();
      const receipt = page.getByRole('region', { name: 'Receipt' });
      await receipt.getByText(UNBROKEN).waitFor();
    },
  },
  {
    name: 'table of a thousand accounts',
    path: '/my-subscriptions',
    open: async (page) => {
      await page.getByText('@client.1', { exact: true }).first().waitFor();
    },
  },
  {
    name: 'settings with a name in Arabic and Japanese',
    path: '/my-settings',
    open: async (page) => {
      await expect
        .poll(() => page.getByLabel('Name', { exact: true }).first().inputValue())
        .toContain(ARABIC);
    },
  },
];

async function show(page: Page, { path, open }: Screen): Promise<void> {
  await page.emulateMedia({ forcedColors: 'none' });
  if (page === customer) await followTo(page, path);
  else await openScreen(page, shared.product.url + path);
  await open?.(page, shared.product);
}

async function expectReadable(page: Page, screen: Screen): Promise<void> {
  await show(page, screen);
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  await expect.poll(() => findCrowded(page)).toEqual([]);
  const moving = await page.evaluate(
    () => document.getAnimations().filter(({ playState }) => playState === 'running').length,
  );
  expect(moving).toBe(0);
  await page.emulateMedia({ forcedColors: 'active' });
  await expect.poll(() => findCrowded(page)).toEqual([]);
  await expectAccessible(page, 'forced');
}

test('a covered button and a text on another one are found', async () => {
  const page = await (await shared.browser.newContext()).newPage();
  shared.pages.push(page);
  const at = (top: number) => `style="position: absolute; top: ${top}px; margin: 0"`;
  await page.setContent(`<p ${at(90)}>Below</p><p ${at(92)}>Above</p><p ${at(130)}>Apart</p>
    <button ${at(10)}>Covered</button><div ${at(0)}><div style="padding: 40px"></div></div>
    <button ${at(200)}>Free</button>`);
  expect(await findCrowded(page)).toEqual([
    'p "Below" stands on p "Above"',
    'button "Covered" is covered by div ""',
  ]);
});

test.each(SIGN_UP)(
  'at 400 %, without motion and in forced colors nothing overlaps and all can be pressed: $name',
  async (screen) => {
    await expect(expectReadable(visitor, screen)).resolves.toBeUndefined();
  },
);

test.each(CUSTOMER)(
  'at 400 % the same holds for a customer with a thousand accounts: $name',
  async (screen) => {
    await expect(expectReadable(customer, screen)).resolves.toBeUndefined();
  },
);

test('at 400 % the landing page and the legal ones read without JavaScript, and nothing overlaps', async () => {
  const options = { viewport: ENLARGED, javaScriptEnabled: false };
  const page = await (await shared.browser.newContext(options)).newPage();
  shared.pages.push(page);
  for (const path of ['/', '/terms-of-service', '/privacy-policy']) {
    await page.goto(shared.product.url + path);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect([path, await findCrowded(page)]).toEqual([path, []]);
  }
});
