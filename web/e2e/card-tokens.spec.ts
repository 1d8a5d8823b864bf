import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addSubscription } from '#shared/contract/checkout.ts';
import { buyCredits } from '#shared/contract/credits.ts';
import { fillGatewayCheckout } from './bank-customer.ts';
import { newCustomer, pay } from './customer.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage } from './subscriber.ts';

const shared = shareProduct({ cardEntry: 'gateway' });
const CARD = { number: '4242 4242 4242 4242' };
const TOKEN = /(?<="confirmationToken":")\w+/;
const NAME = 'old.token';
const charges = async (): Promise<number> =>
  (await shared.sandbox.listCharges(newCustomer(NAME).email)).length;

/** Pays with what the fields give, as `change` makes it; the server asks for the card again. */
async function payAndBeAskedAgain(
  page: Page,
  path: string,
  change: (token: string) => string | Promise<string>,
): Promise<void> {
  const before = await charges();
  await fillGatewayCheckout(page, CARD);
  await page.route(
    `**${path}`,
    async (route) => {
      const body = route.request().postData() ?? '';
      const token = await change(TOKEN.exec(body)?.[0] ?? '');
      await route.continue({ postData: body.replace(TOKEN, token) });
    },
    { times: 1 },
  );
  const refused = page.waitForResponse(`**${path}`);
  await pay(page);
  expect((await refused).status()).toBe(400);
  await page.getByText('Please enter the card again.').waitFor();
  expect(await charges()).toBe(before);
}

test('a card’s token that is made up, too old, or has paid already is asked for again in a sentence, and charges nothing; the card entered again pays', async () => {
  const { page } = await signedInPage(shared, NAME);
  shared.pages.push(page);
  await page.goto(`${shared.product.url}/subscription`);
  await payAndBeAskedAgain(page, addSubscription.path, () => 'pm_0000000000000000');
  await payAndBeAskedAgain(page, addSubscription.path, async (token) => {
    await shared.sandbox.makeTokenOld(token);
    return token;
  });
  await fillGatewayCheckout(page, CARD);
  const asked = page.waitForRequest(`**${addSubscription.path}`);
  await pay(page);
  const paidWith = TOKEN.exec((await asked).postData() ?? '')?.[0] ?? '';
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
  await page.waitForURL('**/dashboard');
  await page.goto(`${shared.product.url}/payment/credits`);
  await page.getByLabel('2,500 credits').check();
  await payAndBeAskedAgain(page, buyCredits.path, () => paidWith);
  await fillGatewayCheckout(page, CARD);
  await pay(page);
  await page.getByText('You paid $10.00.').waitFor();
  expect(await charges()).toBe(2);
});
