import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { newCustomer } from './customer.ts';
import { followTo } from './open-screen.ts';
import { shareProduct } from './share-product.ts';
import { buyPlan, signedInPage } from './subscriber.ts';

const shared = shareProduct();
/** Pays, and its bank calls the money back. */
const DISPUTED = '4000000000000259';
const NAME = 'calls.back';
const OPERATOR = 'support@localhost';

async function mailed(to: string, subject: string): Promise<void> {
  const subjects = async (): Promise<string[]> =>
    (await shared.sandbox.listMails(to)).map((mail) => mail.subject);
  await expect.poll(subjects).toContain(subject);
}

/** What the person and the operator are told; it takes effect before either is written to. */
const toldBoth = async (person: string, operator: string): Promise<void> => {
  await mailed(newCustomer(NAME).email, person);
  await mailed(OPERATOR, operator);
};

/** The bank decides, on the gateway's side. */
async function decide({ request }: Page, status: 'won' | 'lost'): Promise<void> {
  const cards = `${shared.product.sandboxUrl}/cards`;
  const shown = await (await request.get(cards)).text();
  const [dispute] = /disputes\/\w+/.exec(shown) ?? [];
  expect((await request.post(`${cards}/${dispute}`, { form: { status } })).ok()).toBe(true);
}

const plan = (page: Page, state: string | RegExp) =>
  page
    .getByRole('row')
    .filter({ hasText: `@${NAME}` })
    .filter({ hasText: state });
const returned = (page: Page, words: string) =>
  page.getByRole('region', { name: 'Disputes and refunds' }).getByText(words);

test('a card that disputes what it paid: its plan stops and goes on once the payment stands, its credits go for good with a lost dispute, and the person and the operator are told each time', async () => {
  const { page, userId } = await signedInPage(shared, NAME);
  shared.pages.push(page);
  const plan1 = { userId, igUsername: NAME, ccNum: DISPUTED };
  expect((await buyPlan(page.request, shared.product, plan1)).ok()).toBe(true);
  await toldBoth('Your bank disputed a payment of $9.99', 'A payment is disputed: $9.99');
  await page.goto(`${shared.product.url}/my-subscriptions`);
  await plan(page, 'Canceled').waitFor();
  await followTo(page, '/my-billing');
  await returned(page, 'Disputed by your bank').waitFor();

  await decide(page, 'won');
  await toldBoth(
    'Your payment of $9.99 stands',
    'A dispute is over, and the payment stands: $9.99',
  );
  await followTo(page, '/my-subscriptions');
  await plan(page, /Active.*Stops on/).waitFor();
  await followTo(page, '/my-billing');
  await returned(page, 'Dispute decided: paid').waitFor();

  await followTo(page, '/payment/credits');
  await page.getByLabel('2,500 credits').check();
  await page.getByRole('button', { name: 'Pay $10.00 with the card ending in 259' }).click();
  await page.getByText('You paid $10.00.').waitFor();
  await toldBoth('Your bank disputed a payment of $10.00', 'A payment is disputed: $10.00');
  await decide(page, 'lost');
  await toldBoth('Your bank has returned $10.00 to you', 'A dispute is lost: $10.00');
  // What is said of a payment leads on after a while.
  await page.waitForURL('**/dashboard');
  await followTo(page, '/my-billing');
  await returned(page, 'Returned by your bank').waitFor();
  await returned(page, '2,500 credits from it are gone.').waitFor();

  // It buys nothing any more.
  await followTo(page, '/payment/credits');
  await page.getByLabel('2,500 credits').check();
  await page.getByRole('button', { name: 'Pay $10.00 with the card ending in 259' }).click();
  await page.getByText('A payment with this card was disputed at the bank').waitFor();
  const charges = await shared.sandbox.listCharges(newCustomer(NAME).email);
  expect(charges.filter(({ amountCents }) => amountCents === 1000)).toHaveLength(1);
});
