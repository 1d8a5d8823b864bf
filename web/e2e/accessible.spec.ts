import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { ENLARGED, findCrowded } from './crowded.ts';
import { goWithin, leave, openScreen } from './open-screen.ts';
import { overflow } from './overflow.ts';
import { CUSTOMER_SCREENS, type Screen, UNPAID, VISITOR_SCREENS } from './screens.ts';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const WIDE = { width: 1280, height: 900 };
const MODAL = '[role="dialog"][aria-modal="true"]';

const shared = shareProduct();
let visitor: Page;
let customer: Page;
/** What any of the screens asked another host for than the product's own. */
const foreign: string[] = [];

beforeAll(async () => {
  await shared.sandbox.createAccount({ username: UNPAID });
  visitor = await (await shared.browser.newContext()).newPage();
  const opened = await subscribedPage(shared, 'for.every.eye');
  customer = opened.page;
  await customer.request.post(`${shared.product.url}/user/connectedAccount/addRecord`, {
    data: { userId: opened.userId, igUsername: UNPAID },
  });
  for (const page of [visitor, customer]) watch(page);
  // Before anything opens: an open dialog is drawn anew when the preference for less motion changes.
  for (const page of [visitor, customer]) await page.emulateMedia({ reducedMotion: 'reduce' });
  // Loaded once, for all of their screens.
  await visitor.goto(shared.product.url + '/signup');
  await customer.goto(shared.product.url + '/my-settings');
});

/** Notes every request and socket of a page, its workers’ too, that is for another host. */
function watch(page: Page): void {
  const note = (url: string): void => {
    if (/^(?:https?|wss?):/.test(url) && new URL(url).host !== new URL(shared.product.url).host) {
      foreign.push(url);
    }
  };
  page.context().on('request', (request) => note(request.url()));
  page.on('websocket', (socket) => note(socket.url()));
}

/** Notes the files of other hosts that a page names. */
async function noteNamed(page: Page): Promise<void> {
  const named = await page
    .locator('link[href], script[src], img[src], iframe[src], source[src], video[src]')
    .evaluateAll((all) =>
      all.map((one) => one.getAttribute('href') ?? one.getAttribute('src') ?? ''),
    );
  const { origin } = new URL(shared.product.url);
  const urls = named.map((url) => new URL(url, origin));
  foreign.push(...urls.filter((url) => url.origin !== origin).map(String));
}

const isAt = (page: Page, path: string): boolean =>
  new URL(path, page.url()).pathname === new URL(page.url()).pathname;

/** Goes there within the app, from another page, so that nothing stays of the screen before. */
async function follow(page: Page, screen: Screen): Promise<void> {
  await page.keyboard.press('Escape');
  // Another page begins anew by itself.
  if (isAt(page, screen.path)) await leave(page);
  await page.setViewportSize(WIDE);
  await page.unrouteAll();
  await screen.before?.(page, shared.product);
  await (screen.isLoaded ? openScreen : goWithin)(page, screen.path);
  await screen.open?.(page, shared.product);
}

const setSize = async (page: Page, size: { width: number; height: number }): Promise<void> => {
  await page.setViewportSize(size);
  // What is laid out by a script follows in the frames after.
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
};
const setScheme = (page: Page, colorScheme: 'light' | 'dark'): Promise<void> =>
  page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });

/**
 * Looks at an open screen in both colour schemes, wide, on a phone, and at 400 %: each width whole once;
 * what differs between the schemes is colour.
 */
async function expectForEverybody(page: Page): Promise<void> {
  await noteNamed(page);
  await setSize(page, WIDE);
  // What is under an open dialog has a screen of its own.
  const part = (await page.locator(MODAL).count()) > 0 ? `${MODAL}, [data-toast]` : 'html';
  await expectAccessible(page, 'all', part);
  await setScheme(page, 'dark');
  await expectAccessible(page, 'colours', part);
  await setSize(page, { ...WIDE, width: 390 });
  await expectAccessible(page, 'colours', part);
  await setScheme(page, 'light');
  await expectAccessible(page, 'changed', part);
  await setSize(page, { ...WIDE, width: 820 });
  await setSize(page, ENLARGED);
  // A toast takes its room until it goes.
  await expect.poll(() => findCrowded(page)).toEqual([]);
}

test('a text that turns too pale, and a label that goes on phones, are found on a page that was looked at', async () => {
  const plant = (content: string) => visitor.addStyleTag({ content });
  await follow(visitor, { name: 'sign-up', path: '/signup' });
  await expectForEverybody(visitor);
  await setSize(visitor, WIDE);
  const pale = await plant('h1 { color: #eee !important }');
  await expect(expectAccessible(visitor, 'colours')).rejects.toMatchObject({
    actual: [expect.stringMatching(/^color-contrast: /)],
  });
  await pale.evaluate((style) => style.parentElement?.removeChild(style));
  const hidden = await plant('@media (width < 400px) { label { display: none } }');
  await expectAccessible(visitor, 'changed');
  await setSize(visitor, { ...WIDE, width: 390 });
  await expect(expectAccessible(visitor, 'changed')).rejects.toMatchObject({
    actual: expect.arrayContaining([expect.stringMatching(/^label: /)]),
  });
  await hidden.evaluate((style) => style.parentElement?.removeChild(style));
});

test.each(VISITOR_SCREENS)(
  'axe finds nothing on $name, light and dark, wide and at 390 px',
  async (screen) => {
    await follow(visitor, screen);
    await expect(expectForEverybody(visitor)).resolves.toBeUndefined();
  },
);

test('axe finds nothing on the table of accounts in compact rows, light and dark, wide and at 390 px', async () => {
  const rows = async (density: 'Compact' | 'Comfortable'): Promise<void> => {
    await customer.getByRole('button', { name: 'Columns', exact: true }).click();
    await customer.getByRole('radio', { name: density }).check();
    await customer.getByRole('button', { name: 'Columns', exact: true }).click();
  };
  const name = 'accounts in compact rows';
  const path = '/my-subscriptions?sort=-amount';
  await follow(customer, { name, path, open: () => rows('Compact') });
  await expectForEverybody(customer);
  expect(await customer.locator('html').getAttribute('data-density')).toBe('compact');
  await setSize(customer, WIDE);
  await rows('Comfortable');
});

// Shows fact 2.57.
test.each(CUSTOMER_SCREENS)(
  'axe finds nothing for a customer on $name, light and dark, wide and at 390 px',
  async (screen) => {
    await follow(customer, screen);
    await expect(expectForEverybody(customer)).resolves.toBeUndefined();
  },
);

// Shows facts 3.15, 7.01, 7.15.
test('no screen asks or names another host than the product’s own, but for the script of the gateway where cards are entered there', () => {
  expect([...new Set(foreign)]).toEqual([`${shared.product.sandboxUrl}/blocked.js`]);
});
