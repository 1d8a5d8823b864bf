import { expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { newCustomer } from './customer.ts';
import { shareProduct } from './share-product.ts';
import { buyPlan, registeredPage, subscribedPage } from './subscriber.ts';

const NAME = 'whose.account';
const shared = shareProduct();

test('an account that somebody else pays for is the owner’s once its bio has the code and the owner pays', async () => {
  const { product, sandbox, pages } = shared;
  const { page: stranger } = await subscribedPage(shared, NAME);
  pages.push(stranger);
  const owner = { ...newCustomer(NAME), email: 'owner@example.test' };
  const page = await registeredPage(shared, owner);
  pages.push(page);
  await page.goto(`${product.url}/subscription`);
  const proof = page.getByRole('region', { name: 'Prove that the account is yours' });
  const code = await proof.getByText(/^OV-/).innerText();
  await expect.poll(() => page.getByLabel('Card number', { exact: true }).count()).toBe(0);
  await expectAccessible(page);

  const check = proof.getByRole('button', { name: 'Check' });
  await check.click();
  await proof.getByText(`The code isn’t in @${NAME}’s bio yet.`).waitFor();

  await sandbox.changeAccount(NAME, { bio: `Tea and bread. ${code}` });
  await check.click();
  await page.getByText(`You’ve proved that @${NAME} is yours.`).waitFor();
  await page.getByLabel('Card number', { exact: true }).waitFor();
  const userId = String(await page.evaluate(() => localStorage.getItem('id')));
  const paid = await buyPlan(page.request, product, { userId, igUsername: NAME });
  expect(paid.ok()).toBe(true);

  const told = async (): Promise<string[]> =>
    (await sandbox.listMails(newCustomer(NAME).email))
      .map(({ text }) => text)
      .filter((text) => text.includes(`Someone else has proved that @${NAME} is theirs`));
  await expect
    .poll(told)
    .toEqual([expect.stringContaining('You won’t be charged in the meantime')]);
});
