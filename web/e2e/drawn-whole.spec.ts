import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { crowdReplica } from './crowded-replica.ts';
import { shareProduct } from './share-product.ts';
import { goWithin, openScreen } from './open-screen.ts';
import { type Spender, spenderPage } from './spender.ts';
import { signedInPage } from './subscriber.ts';

const shared = shareProduct();
const PHONE = { width: 390, height: 844 };
let spender: Spender;
let page: Page;

beforeAll(async () => {
  spender = await spenderPage(shared, 'drawn.whole');
  ({ page } = spender);
  await page.goto(`${shared.product.url}/help`);
});

async function visit(path: string, title: string | RegExp, width = 1280): Promise<void> {
  await page.setViewportSize({ width, height: 844 });
  if (new URL(page.url()).pathname !== path) await goWithin(page, path);
  await page.getByRole('heading', { name: title, level: 1 }).waitFor({ state: 'attached' });
  await page.evaluate(async () => void (await document.fonts.ready));
}

const sizeOf = async (part: Locator): Promise<{ width: number; height: number }> => {
  const { width = 0, height = 0 } = (await part.boundingBox()) ?? {};
  return { width, height };
};

/** By how many pixels the longest option is wider than its select: left to itself it is as wide as that. */
const cutOff = (select: Locator): Promise<number> =>
  select.evaluate(async (element) => {
    if (!(element instanceof HTMLSelectElement)) return Infinity;
    // A page that hasn't been laid out yet waits for no font.
    if (element.offsetWidth === 0) return Infinity;
    await document.fonts.ready;
    const given = element.offsetWidth;
    element.style.width = 'max-content';
    const wanted = element.offsetWidth;
    element.style.width = '';
    return wanted - given;
  });

test('on a phone a box of the settings stays a box, however long its text', async () => {
  await visit('/my-settings', 'Account settings', PHONE.width);
  await page.getByLabel('Compact').waitFor();
  const boxes = await page.locator('main fieldset input').all();
  expect(boxes.length).toBeGreaterThan(3);
  for (const box of boxes) {
    const isSwitch = (await box.getAttribute('role')) === 'switch';
    const size = isSwitch ? { width: 44, height: 26 } : { width: 18, height: 18 };
    expect(await sizeOf(box)).toEqual(size);
  }
});

test('on a phone the checkout’s longest plan stands whole in its select, and the names on the marks of the cards inside their borders', async () => {
  const { page: newcomer } = await signedInPage(shared, 'chooses.plan', PHONE);
  shared.pages.push(newcomer);
  await newcomer.goto(`${shared.product.url}/subscription`);
  expect(await cutOff(newcomer.getByLabel('Choose Your plan'))).toBeLessThanOrEqual(0);
  const marks = newcomer.getByRole('list', { name: 'Accepted cards' }).locator('svg');
  await marks.first().waitFor();
  await newcomer.evaluate(async () => void (await document.fonts.ready));
  const outside = await marks.evaluateAll((drawn) =>
    drawn.flatMap((mark) => {
      const border = mark.getBoundingClientRect();
      return [...mark.querySelectorAll('text')].filter((name) => {
        const { left, right } = name.getBoundingClientRect();
        return left < border.left || right > border.right;
      }).length;
    }),
  );
  expect(outside).toEqual([0, 0, 0, 0]);
});

test('on a phone whose session has run out the menu still shows a name to press', async () => {
  const expired = { status: 'error', code: 'session_expired', message: 'Please log in again.' };
  await page.route('**/user/sync/**', (route) => route.fulfill({ status: 401, json: expired }));
  await page.setViewportSize(PHONE);
  await openScreen(page, '/my-settings');
  await page.getByRole('button', { name: 'Log in again' }).first().waitFor();
  const menu = page.getByRole('button', { name: /^Menu/ });
  expect((await sizeOf(menu)).width).toBeGreaterThan(70);
  await page.unroute('**/user/sync/**');
  await openScreen(page, '/help');
});

test('at 320 px every card and its ring ends where its column ends, with likes bought by credits too', async () => {
  await spender.order(20);
  await visit('/dashboard', /^Posts by/, 320);
  await page.locator('[data-post] [data-ordered]').first().waitFor();
  const over = await page.locator('[data-post]').evaluateAll((cards) =>
    cards.flatMap((card) => {
      const end = card.getBoundingClientRect().right;
      const parts = [...card.querySelectorAll('[data-ordered] svg, p, button')];
      return parts.filter((part) => part.getBoundingClientRect().right > end + 1).length;
    }),
  );
  expect(over).toEqual([0, 0]);
});

test('the whole sign-up form stands on the first screen of a desk, down to its button, and its longest plan whole in its select on a phone', async () => {
  const desk = { viewport: { width: 1440, height: 900 } };
  const visitor = await (await shared.browser.newContext(desk)).newPage();
  shared.pages.push(visitor);
  await visitor.goto(`${shared.product.url}/signup`);
  await visitor.getByRole('timer').waitFor();
  await visitor.evaluate(async () => void (await document.fonts.ready));
  const ends = async (part: Locator): Promise<number> => {
    const { y = Infinity, height = 0 } = (await part.boundingBox()) ?? {};
    return y + height;
  };
  expect(await ends(visitor.getByRole('button', { name: 'Sign Up' }))).toBeLessThanOrEqual(860);
  expect(await ends(visitor.getByText('Already have an account?'))).toBeLessThanOrEqual(900);
  await visitor.setViewportSize(PHONE);
  expect(await cutOff(visitor.getByLabel('Package', { exact: true }))).toBeLessThanOrEqual(0);
});

test.each(['light', 'dark'] as const)(
  'in the %s a button that can’t be pressed yet is lighter than its neighbor',
  async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await visit('/my-subscriptions', 'Subscriptions');
    await page.getByRole('button', { name: 'Manage @drawn.whole' }).click();
    await page.getByRole('button', { name: 'Manage subscription' }).click();
    const look = (name: string) =>
      page
        .getByRole('dialog')
        .getByRole('button', { name })
        .evaluate((button) => {
          const { backgroundColor, borderColor } = getComputedStyle(button);
          return { backgroundColor, borderColor };
        });
    const [waiting, neighbor] = await Promise.all([look('Next'), look('Cancel subscription')]);
    expect(waiting.backgroundColor).toBe('rgba(0, 0, 0, 0)');
    expect(waiting.borderColor).not.toBe(neighbor.borderColor);
    await page.keyboard.press('Escape');
    await page.emulateMedia({ colorScheme: null });
  },
);

test('compact rows are 36 px high, buttons and all', async () => {
  await visit('/my-settings', 'Account settings');
  await page.getByLabel('Compact').check();
  await visit('/my-billing', 'Billing');
  const row = page
    .getByRole('table', { name: 'Transaction history' })
    .getByRole('row')
    .filter({ hasText: '$9.99' });
  expect((await sizeOf(row)).height).toBeLessThanOrEqual(37);
  await visit('/my-settings', 'Account settings');
  await page.getByLabel('Comfortable').check();
});

test('on a phone a row is a line that names it, with its button, and small print below', async () => {
  for (const [path, title] of [
    ['/my-billing', 'Billing'],
    ['/my-subscriptions', 'Subscriptions'],
  ] as const) {
    await visit(path, title, PHONE.width);
    const row = page.getByRole('table').first().getByRole('row').last();
    await row.getByRole('button').last().waitFor();
    expect((await sizeOf(row)).height).toBeLessThanOrEqual(112);
  }
});

test('the list of a long page’s parts leads to each of them, below the header', async () => {
  for (const width of [PHONE.width, 1280]) {
    await visit('/my-settings', 'Account settings', width);
    const list = page.getByRole('navigation', { name: 'On this page' });
    await list.getByRole('link', { name: 'Where you’re logged in' }).click();
    const heading = page.getByRole('heading', { name: 'Where you’re logged in' });
    const header = await sizeOf(page.getByRole('banner').first());
    await expect
      .poll(async () => Math.abs(((await heading.boundingBox())?.y ?? 9999) - header.height))
      .toBeLessThan(120);
    expect((await heading.boundingBox())?.y).toBeGreaterThan(header.height);
  }
});

test('the palette and a dialog darken the page alike, without a blur', async () => {
  await visit('/my-subscriptions', 'Subscriptions');
  const scrim = () =>
    page.locator('.mantine-Overlay-root').evaluate((element) => {
      const { backgroundColor, backdropFilter } = getComputedStyle(element);
      return `${backgroundColor} ${backdropFilter}`;
    });
  await page.getByRole('button', { name: 'Add account' }).first().click();
  await page.getByRole('dialog').waitFor();
  const ofDialog = await scrim();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: 'Find anything' }).click();
  await page.getByRole('dialog').waitFor();
  expect([await scrim(), ofDialog]).toEqual([ofDialog, expect.stringMatching(/ none$/)]);
  await page.keyboard.press('Escape');
});

test('the notes under the switches of the delivery settings have the same line height', async () => {
  await visit('/my-subscriptions', 'Subscriptions');
  await page.getByRole('button', { name: 'Manage @drawn.whole' }).click();
  await page.getByRole('button', { name: 'Delivery settings' }).click();
  const drawer = page.getByRole('dialog', { name: 'Delivery settings' });
  const lineHeight = (note: string) =>
    drawer.getByText(note).evaluate((element) => getComputedStyle(element).lineHeight);
  expect(await lineHeight('A random amount for each post')).toBe(
    await lineHeight('Likes on each new post'),
  );
  await page.keyboard.press('Escape');
});

/** The files that a page loads ahead, each with whether a font of the page is drawn from it. */
const loadedAhead = (): Promise<Array<[file: string, isUsed: boolean]>> =>
  page.evaluate(async () => {
    await document.fonts.ready;
    const rules = [...document.styleSheets]
      .flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof CSSFontFaceRule);
    const bare = (name = ''): string => name.replaceAll(/["']/g, '');
    return [...document.querySelectorAll<HTMLLinkElement>('link[rel="preload"]')].map(
      ({ href }) => {
        const file = href.slice(href.lastIndexOf('/') + 1);
        const rule = rules.find(({ style }) => style.getPropertyValue('src').includes(file));
        const wanted = bare(rule?.style.getPropertyValue('font-family'));
        const face = [...document.fonts].find(({ family }) => bare(family) === wanted);
        return [file, face?.status === 'loaded'];
      },
    );
  });

/** `loaded-ahead.spec.ts` hears the console say so of the dashboard and of billing. */
test('what a page loads ahead it uses', async () => {
  for (const [path, title] of [
    ['/my-subscriptions', 'Subscriptions'],
    ['/my-settings', 'Account settings'],
  ] as const) {
    await openScreen(page, path);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor({ state: 'attached' });
    const files = await loadedAhead();
    expect(files).toHaveLength(2);
    expect(files.filter(([, isUsed]) => !isUsed)).toEqual([]);
  }
});

test('an active account that stands far down its list is in view, and marked', async () => {
  await page.setViewportSize({ width: 1280, height: 844 });
  await crowdReplica(page, 28);
  // The replica is filled anew.
  await page.goto(`${shared.product.url}/user/about`);
  await page.evaluate(async () => {
    for (const { name = '' } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  });
  // All but one of the others are named before it.
  await page.goto(`${shared.product.url}/dashboard`);
  await page
    .getByRole('option', { name: /client\.1/ })
    .first()
    .waitFor();
  await page.reload();
  const accounts = page.getByRole('listbox', { name: 'Accounts' });
  const active = accounts.getByRole('option', { selected: true });
  await active.getByText('drawn.whole').waitFor();
  const list = accounts.locator('xpath=..');
  // The list is drawn, then scrolled, and then its rows are measured.
  const isInView = async (): Promise<boolean> => {
    const [around, option] = [await list.boundingBox(), await active.boundingBox()];
    if (!around || !option) return false;
    return option.y >= around.y && option.y + option.height <= around.y + around.height + 1;
  };
  await expect.poll(isInView).toBe(true);
  expect(await list.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(0);
});
