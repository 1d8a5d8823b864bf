import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { fillCheckout, pay } from './customer.ts';
import { goWithin } from './open-screen.ts';
import { overflow } from './overflow.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage } from './subscriber.ts';

/** What of forms only a browser shows: layout, writing direction, the clipboard, windows. */
const shared = shareProduct();
let visitor: Page;
/** A customer’s without a plan. */
let newcomer: Page;

beforeAll(async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  visitor = await (await shared.browser.newContext({ permissions })).newPage();
  await visitor.goto(`${shared.product.url}/login`);
  ({ page: newcomer } = await signedInPage(shared, 'writes.much'));
  await newcomer.goto(`${shared.product.url}/my-settings`);
});

test('a password field takes what is pasted from the clipboard', async () => {
  const pasted = 'a pasted pass phrase 👏 of forty characters';
  const password = visitor.getByLabel('Password', { exact: true });
  await password.focus();
  await visitor.evaluate((text) => navigator.clipboard.writeText(text), pasted);
  await visitor.keyboard.press('ControlOrMeta+V');
  await expect.poll(() => password.inputValue()).toBe(pasted);
});

/** Forms of each kind of field there is, with the button that sends them. */
const FORMS = [
  ['/signup', 'Sign Up'],
  ['/verify-email', 'Send Verification Email'],
  ['/my-settings', 'Save details'],
  ['/my-settings', 'Send message'],
  ['/subscription', 'Confirm & Pay'],
] as const;

test('what is written from right to left stands so in every field, and 3,000 letters make no page wider', async () => {
  for (const [path, button] of FORMS) {
    const at = path.startsWith('/signup') || path.startsWith('/verify') ? visitor : newcomer;
    if (new URL(at.url()).pathname !== path) await goWithin(at, path);
    const form = at.locator('form').filter({ has: at.getByRole('button', { name: button }) });
    await form.getByRole('button', { name: button }).waitFor();
    const fields = form.locator('input:not([type="checkbox"], [readonly]), textarea');
    for (const field of await fields.all()) {
      await field.fill('שלום עולם، مرحبا بالعالم');
      // A field that keeps digits alone is empty now, and reads from the left.
      const isRead = await field.evaluate((one) => {
        const { value } = one as HTMLInputElement;
        return (
          getComputedStyle(one).direction === (/^\p{Script=Hebrew}/u.test(value) ? 'rtl' : 'ltr')
        );
      });
      expect([path, await field.getAttribute('name'), isRead]).toEqual([
        path,
        expect.anything(),
        true,
      ]);
      await field.fill('x'.repeat(3000));
    }
    await form.getByRole('button', { name: button }).click();
    await form.locator('[aria-invalid="true"], [role="alert"]').first().waitFor();
    await expect.poll(() => overflow(at)).toBeLessThanOrEqual(0);
  }
});

test('the terms open beside a checkout, which keeps what was filled in', async () => {
  const page = newcomer;
  await goWithin(page, '/payment/credits');
  await page.getByLabel('Card number', { exact: true }).fill('4242 4242 4242 4242');
  const beside = page.context().waitForEvent('page');
  await page.locator('form').getByRole('link', { name: 'terms of service' }).click();
  const terms = await beside;
  await terms.getByRole('heading', { name: 'Terms of service', level: 1 }).waitFor();
  expect(await terms.evaluate(() => globalThis.opener === null)).toBe(true);
  await expect
    .poll(() => page.getByLabel('Card number', { exact: true }).inputValue())
    .toBe('4242 4242 4242 4242');
});

// Shows facts 2.05, 2.78, 2.81.
test('on a phone the checkout’s summary and the honest sentence stand above the card form, nothing scrolls sideways, and the date shown is the one the server charges next', async () => {
  const page = newcomer;
  await page.setViewportSize({ width: 390, height: 844 });
  await goWithin(page, '/subscription');
  await page.getByLabel('Cardholder name', { exact: true }).waitFor();
  const top = async (text: string): Promise<number> =>
    (await page.getByText(text).first().boundingBox())?.y ?? 0;
  expect(await top('against most networks’ rules')).toBeLessThan(await top('Cardholder name'));
  expect(await overflow(page)).toBeLessThanOrEqual(0);
  const shown = await page.locator('dt:text-is("Next charge date") + dd').innerText();
  await fillCheckout(page, { number: '4242 4242 4242 4242' });
  await pay(page);
  await page.getByText('Payment Successful').waitFor();
  // The replica may show the state of before once more.
  const charged = (): Promise<string> =>
    page.evaluate(() => {
      const kept = localStorage.getItem('ovation-client-state') ?? '{}';
      const { state } = JSON.parse(kept) as {
        state: { connectedAccounts: Array<{ nextBillingDate: string | null }> };
      };
      const date = new Date(state.connectedAccounts[0]?.nextBillingDate ?? '');
      return date.toLocaleDateString('en-US', { dateStyle: 'long' });
    });
  await expect.poll(charged).toBe(shown);
});
