import { expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { fillCheckout, pay } from './customer.ts';
import { followTo } from './open-screen.ts';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const shared = shareProduct();

test('credits are bought with one press on the saved card; another card pays once, or for all that comes', async () => {
  const { page } = await subscribedPage(shared, 'one.press');
  shared.pages.push(page);
  const credits = `${shared.product.url}/payment/credits`;
  const shownCard = async (): Promise<string> => {
    await page.goto(credits);
    await page.getByRole('button', { name: 'Pick a pack', disabled: true }).waitFor();
    await page.getByLabel('2,500 credits').check();
    return page.getByRole('button', { name: /^Pay / }).innerText();
  };
  expect(await shownCard()).toBe('Pay $10.00 with the card ending in 242');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Pay $10.00 with the card ending in 242' }).click();
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();

  // Once: the next time the saved one is offered again.
  await shownCard();
  await fillCheckout(page, { number: '5555 5555 5555 4444' });
  await page.getByText('later charges go to the card ending in 242').waitFor();
  await expectAccessible(page);
  await pay(page);
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
  // Behind it stands no emptied form.
  await expect.poll(() => page.getByLabel('Card number', { exact: true }).isVisible()).toBe(false);
  expect(await shownCard()).toBe('Pay $10.00 with the card ending in 242');

  // For all: it is the saved one from now on.
  await fillCheckout(page, { number: '5555 5555 5555 4444' });
  await page.getByLabel('Use this card for all my plans from now on').check();
  await pay(page);
  await page.getByRole('dialog', { name: 'Payment Successful' }).waitFor();
  await expect.poll(shownCard).toBe('Pay $10.00 with the card ending in 444');
});

test('what a package is enough for comes late, and moves no button, in the dialog and at the checkout', async () => {
  const { page } = await subscribedPage(shared, 'stays.put', { width: 1280, height: 1000 });
  shared.pages.push(page);
  const move = async (button: RegExp): Promise<number> => {
    const top = async () => (await page.getByRole('button', { name: button }).boundingBox())?.y;
    await page.getByText('Pick one to see').waitFor();
    const before = await top();
    await page.getByLabel('2,500 credits').check();
    await page.getByText('2,500 credits are enough for').waitFor();
    return Number(await top()) - Number(before);
  };
  await page.goto(`${shared.product.url}/dashboard`);
  await page.getByRole('button', { name: 'Buy credits' }).first().click();
  expect(await move(/^Go to payment/)).toBe(0);
  await followTo(page, '/payment/credits');
  expect(await move(/^(Pick a pack|Pay )/)).toBe(0);
});
