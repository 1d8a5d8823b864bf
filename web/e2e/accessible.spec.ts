import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { ENLARGED, findCrowded } from './crowded.ts';
import { overflow } from './overflow.ts';
import { CUSTOMER_SCREENS, type Screen, UNPAID, VISITOR_SCREENS } from './screens.ts';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

/** Each width whole once; what differs between the schemes is colour. */
const LOOKS = [
  { colorScheme: 'light', width: 1280, rules: 'all' },
  { colorScheme: 'dark', width: 1280, rules: 'colours' },
  { colorScheme: 'dark', width: 390, rules: 'colours' },
  { colorScheme: 'light', width: 390, rules: 'all' },
] as const;

const shared = shareProduct();
let visitor: Page;
let customer: Page;

beforeAll(async () => {
  await shared.sandbox.createAccount({ username: UNPAID });
  visitor = await (await shared.browser.newContext()).newPage();
  const opened = await subscribedPage(shared, 'for.every.eye');
  customer = opened.page;
  await customer.request.post(`${shared.product.url}/user/connectedAccount/addRecord`, {
    data: { userId: opened.userId, igUsername: UNPAID },
  });
  // Before anything opens: an open dialog is drawn anew when the wish for less motion changes.
  for (const page of [visitor, customer]) await page.emulateMedia({ reducedMotion: 'reduce' });
});

/** Looks at an open screen in both colour schemes, wide, on a phone, and at 400 %. */
async function expectForEverybody(page: Page, screen: Screen): Promise<void> {
  await page.unrouteAll();
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(shared.product.url + screen.path);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await screen.open?.(page, shared.product);
  for (const { colorScheme, width, rules } of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    // What is laid out by a script follows in the frames after.
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
    await expectAccessible(page, rules);
  }
  await page.setViewportSize({ width: 820, height: 900 });
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  await page.setViewportSize(ENLARGED);
  await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  // A toast takes its room until it goes.
  await expect.poll(() => findCrowded(page)).toEqual([]);
}

test.each(VISITOR_SCREENS)(
  'axe finds nothing on $name, light and dark, wide and at 390 px',
  async (screen) => {
    await expect(expectForEverybody(visitor, screen)).resolves.toBeUndefined();
  },
);

// Shows fact 2.57.
test.each(CUSTOMER_SCREENS)(
  'axe finds nothing for a customer on $name, light and dark, wide and at 390 px',
  async (screen) => {
    await expect(expectForEverybody(customer, screen)).resolves.toBeUndefined();
  },
);
