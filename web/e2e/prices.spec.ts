import type { Browser, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { CREDIT_PACKAGES } from '#shared/domain/credit-packages.ts';
import { formatCents } from '#shared/domain/money.ts';
import { PLANS } from '#shared/domain/plans.ts';
import type { Product } from './product.ts';
import { shareProduct } from './share-product.ts';
import { type SandboxControl, sandboxControl } from './sandbox-control.ts';
import { CARD, signedInPage } from './subscriber.ts';

/** One of each brand that the pages show: Visa, Mastercard, Discover, American Express. */
const CARDS = [
  { ccNum: '4242424242424242', cvv: '123' },
  { ccNum: '5555555555554444', cvv: '123' },
  { ccNum: '6011111111111117', cvv: '123' },
  { ccNum: '378282246310005', cvv: '1234' },
];
const CARD_CALLS = '/user/creditsTransaction';

const shared = shareProduct();
let browser: Browser;
let product: Product;
let sandbox: SandboxControl;

beforeAll(async () => {
  ({ product, browser } = shared);
  sandbox = sandboxControl(product.sandboxUrl);
});

async function charged(): Promise<number[]> {
  const charges = await sandbox.listCharges();
  return charges
    .filter(({ status }) => status === 'succeeded')
    .map(({ amountCents }) => amountCents);
}

const sorted = (amounts: number[]): number[] => amounts.toSorted((a, b) => a - b);

async function call<Data>(page: Page, path: string, data: object): Promise<Data> {
  const answer = await page.request.post(product.url + path, { data });
  if (!answer.ok()) throw new Error(`${path}: ${await answer.text()}`);
  return ((await answer.json()) as { data: Data }).data;
}

const texts = (page: Page, label: string): Promise<string[]> =>
  page.getByLabel(label).locator('option').allTextContents();

test('the nine plans cost the same on the landing card, at sign-up (1 to 7), at the checkout and in the charge book', async () => {
  const { page, userId } = await signedInPage({ browser, product, sandbox }, 'plan.1');
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(product.url);
  const words = PLANS.map(
    ({ description, priceCents }) =>
      `${description} likes per post, ${formatCents(priceCents)} per month`,
  );
  for (const { number, description, price } of PLANS) {
    const card = (await visitor.locator(`[data-plan="${number}"]`).textContent()) ?? '';
    expect(card).toContain(description);
    expect(card).toContain(`$${price}`);
  }
  await visitor.goto(`${product.url}/signup`);
  await visitor.getByLabel('Package').waitFor();
  expect(await texts(visitor, 'Package')).toEqual(words.slice(0, 7));
  await page.goto(`${product.url}/subscription`);
  await page.getByLabel('Choose Your plan').waitFor();
  expect(await texts(page, 'Choose Your plan')).toEqual(words);

  const before = await charged();
  for (const { number } of PLANS) {
    const igUsername = `plan.${number}`;
    if (number > 1) {
      await sandbox.createAccount({ username: igUsername, posts: 1 });
      await call(page, '/user/connectedAccount/addRecord', { userId, igUsername });
    }
    const body = { ...CARD, userId, igUsername, packageIndex: number };
    await call(page, `${CARD_CALLS}/addSubscripiton`, body);
  }
  const prices = PLANS.map(({ priceCents }) => priceCents);
  expect(sorted(await charged())).toEqual(sorted([...before, ...prices]));
});

test('the six credit packages cost the same in the dialog, at the checkout, in the charge book and in the balance, with each of the four cards', async () => {
  const { page, userId } = await signedInPage({ browser, product, sandbox }, 'buys.packs');
  const before = await charged();
  await page.goto(`${product.url}/payment/credits`);
  await page.getByLabel('Cardholder name').waitFor();
  const offers = CREDIT_PACKAGES.map(({ credits, priceCents }) => ({
    credits: `${credits.toLocaleString('en-US')} credits`,
    price: formatCents(priceCents),
  }));
  const expectOffers = async (part: ReturnType<Page['locator']>): Promise<void> => {
    for (const { credits, price } of offers) {
      const name = new RegExp(`^${credits}.*\\${price}`);
      await part.getByRole('radio', { name }).waitFor();
    }
    expect(await part.getByRole('radio').count()).toBe(offers.length);
  };
  await expectOffers(page.locator('main'));
  await page.getByRole('button', { name: /^[\d,]+ credits/ }).click();
  await expectOffers(page.getByRole('dialog', { name: 'Buy credits' }));

  let balance = 0;
  for (const [index, { credits, price }] of CREDIT_PACKAGES.entries()) {
    const card = { ...CARD, ...CARDS[index % CARDS.length] };
    const body = { ...card, userId, credits, amount: price };
    const user = await call<{ credits: number }>(page, `${CARD_CALLS}/addRecord`, body);
    balance += credits;
    expect(user.credits).toBe(balance);
  }
  const prices = CREDIT_PACKAGES.map(({ priceCents }) => priceCents);
  expect(sorted(await charged())).toEqual(sorted([...before, ...prices]));
});
