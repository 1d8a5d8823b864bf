import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './axe.ts';
import { keepIntercepting, loseAnswer } from './bad-answers.ts';
import { shareProduct } from './share-product.ts';
import { CARD, subscribedPage } from './subscriber.ts';

const ADD_PLAN = '/user/creditsTransaction/addSubscripiton';
const MONEY_BACK = '**/user/subscription/moneyBack';

const shared = shareProduct();

interface Managed {
  page: Page;
  userId: string;
  dialog: Locator;
  open: () => Promise<void>;
}

async function managed(igUsername: string): Promise<Managed> {
  const { page, userId } = await subscribedPage(shared, igUsername);
  shared.pages.push(page);
  await page.goto(`${shared.product.url}/my-subscriptions`);
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: `Manage @${igUsername}` }).click();
    await page.getByRole('button', { name: 'Manage subscription' }).click();
    await page.getByRole('dialog', { name: 'Manage subscription' }).waitFor();
  };
  await open();
  return { page, userId, open, dialog: page.getByRole('dialog', { name: 'Manage subscription' }) };
}

const succeeded = async (): Promise<number[]> =>
  (await shared.sandbox.listCharges())
    .filter((charge) => charge.status === 'succeeded')
    .map((charge) => charge.amountCents);

test('a plan change shows its exact price, asks again when the price changed, and is charged once', async () => {
  const { page, userId, dialog } = await managed('wants.more');
  await dialog.getByText('Next billing date').waitFor();
  await dialog.getByLabel('Choose Your plan').selectOption('3');
  await dialog
    .getByText(
      /Plan changes apply instantly to the likes sent, and you are billed for the new plan/,
    )
    .waitFor();
  await dialog.getByRole('button', { name: 'Next', exact: true }).click();
  await dialog.getByText('Total today').waitFor();
  // Bought today, so all days but today are unused.
  expect(await dialog.innerText()).toMatch(
    /Total today\s+\$14\.\d\d[\s\S]*\$24\.00 less \$9\.\d\d for (27|28|29|30) unused days of (28|29|30|31)\./,
  );
  const call = async (name: string, body: object): Promise<{ data: { quoteId: string } }> => {
    const answer = await page.request.post(`${shared.product.url}/user/subscription/${name}`, {
      data: { userId, ...body },
    });
    return (await answer.json()) as { data: { quoteId: string } };
  };
  const quote = await call('quote', { igUsername: 'wants.more', packageIndex: 2 });
  await call('change', { quoteId: quote.data.quoteId });
  const before = await succeeded();
  await dialog.getByRole('button', { name: 'Confirm & Pay' }).click();
  await dialog.getByText('The price has changed since you saw it. You were not charged').waitFor();
  expect(await succeeded()).toEqual(before);
  await page.route(
    '**/user/subscription/change',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await dialog.getByRole('button', { name: 'Confirm & Pay' }).click();
  await dialog.getByText('you’re never charged twice').waitFor();
  await dialog.getByRole('button', { name: 'Confirm & Pay' }).dblclick();
  await dialog.getByText('Done. Your next post gets').waitFor();
  expect(await succeeded()).toHaveLength(before.length + 1);
});

test('a smaller plan says from when and for how much, is shown until then, and can be taken back', async () => {
  const { page, userId, dialog, open } = await managed('wants.less');
  await page.keyboard.press('Escape');
  const call = async (name: string, body: object): Promise<{ data: { quoteId: string } }> => {
    const answer = await page.request.post(`${shared.product.url}/user/subscription/${name}`, {
      data: { userId, ...body },
    });
    return (await answer.json()) as { data: { quoteId: string } };
  };
  const quote = await call('quote', { igUsername: 'wants.less', packageIndex: 2 });
  await call('change', { quoteId: quote.data.quoteId });
  const before = await succeeded();
  await page.reload();
  await open();
  await dialog.getByLabel('Choose Your plan').selectOption('1');
  await dialog.getByText('A smaller plan starts on the next due date.').waitFor();
  expect(await dialog.getByText('Plan changes apply instantly').count()).toBe(0);
  await dialog.getByRole('button', { name: 'Next', exact: true }).click();
  const planned =
    /From \w+ \d{1,2}, \d{4} you pay \$9\.99 a month for 50 likes per post\. Nothing changes until then\./;
  await dialog.getByText(planned).waitFor();
  await dialog.getByRole('button', { name: /^Change on \w+ \d{1,2}, \d{4}/ }).click();
  await dialog.getByText('We’ve emailed you.').waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page
    .getByText(/^50 likes from \w+ \d{1,2}, \d{4}$/)
    .first()
    .waitFor();
  await open();
  await dialog.getByText(planned).waitFor();
  await dialog.getByRole('button', { name: 'Keep my plan' }).click();
  await expect.poll(() => dialog.getByText(planned).count()).toBe(0);
  await expect.poll(() => page.getByText(/^50 likes from/).count()).toBe(0);
  expect(await succeeded()).toEqual(before);
});

test('a pause says until when, that nothing is charged and to when the next charge moves; it can be ended', async () => {
  const { dialog, page, open } = await managed('takes.a.break');
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog
    .getByText(/\$0\.00 is charged until then, and your next charge moves to .* Dates are in/)
    .waitFor();
  await dialog.getByLabel('Pause until').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
  await dialog
    .getByText('Please choose a day from the day after tomorrow to 181 days ahead')
    .waitFor();
  const inTenDays = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('Pause until').fill(inTenDays);
  await dialog.getByRole('button', { name: /^Pause until/ }).click();
  await dialog.getByText('We’ve emailed you.').waitFor();
  await page.keyboard.press('Escape');
  await open();
  await dialog.getByText(/A pause is planned: likes stop on .* and start again on/).waitFor();
  await dialog.getByRole('button', { name: 'Undo the pause' }).click();
  await dialog.getByText('Your plan will keep renewing. Your next charge is on').waitFor();
  expect(await dialog.getByRole('button', { name: 'Undo the pause' }).count()).toBe(0);
});

test('cancelling takes two clicks, says the date and that nothing more is charged, and can be taken back', async () => {
  const { dialog, page, open } = await managed('stops.later');
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog
    .getByText(/Likes continue until .*, which you’ve paid for\..*\$0\.00 is charged/)
    .waitFor();
  await dialog.getByRole('button', { name: /^Stop on \w+ \d{1,2}, \d{4}/ }).click();
  await dialog.getByText('We’ve emailed you.').waitFor();
  await page.keyboard.press('Escape');
  await open();
  await dialog
    .getByText(/Stops on .*\. Likes continue until then, and you won’t be charged again/)
    .waitFor();
  await dialog.getByRole('button', { name: 'Undo the stop' }).click();
  await dialog.getByText('Your plan will keep renewing. Your next charge is on').waitFor();
  await expect.poll(() => shared.sandbox.listMails('stops.later@example.test')).not.toEqual([]);
});

test('money back in the first 30 days: amount and date said before, review in 3-5 and payout in 7-10 business days', async () => {
  const { dialog, page } = await managed('wants.it.back');
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog
    .getByText(
      /\$9\.99 goes back to your card\. Nothing is deducted from the \$9\.99 charged\..*3-5 business days.*7-10 business days/,
    )
    .waitFor();
  await dialog.getByRole('button', { name: 'Get $9.99 back' }).click();
  await dialog.getByText(/Likes have stopped, and \$9\.99 is going back to your card/).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
});

test('a plan that was stopped today still offers its money back, with amount and date, and gives it', async () => {
  const { dialog, page, open } = await managed('stops.and.asks');
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog.getByText(/Orders under way finish\..*the days left aren’t refunded/).waitFor();
  await dialog.getByRole('button', { name: 'Stop likes today' }).click();
  await dialog.getByRole('button', { name: 'Yes, stop now' }).click();
  await dialog.getByText(/^Your plan has stopped\. New posts get no more likes/).waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  await page
    .getByText(/^Money back until \w+ \d{1,2}, \d{4}$/)
    .first()
    .waitFor();
  await open();
  await dialog.getByText(/^Until .*, no questions: \$9\.99 goes back to your card/).waitFor();
  await dialog.getByRole('button', { name: 'Get $9.99 back' }).click();
  await dialog.getByText(/\$9\.99 is going back to your card/).waitFor();
  expect(await dialog.getByRole('button', { name: /Get .* back/ }).count()).toBe(0);
});

test('a paused plan that is canceled is said to go on after the pause until the day paid for', async () => {
  const { dialog, page, open } = await managed('pauses.and.goes');
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog.getByRole('button', { name: /^Pause until/ }).click();
  await dialog.getByText('We’ve emailed you.').waitFor();
  await page.keyboard.press('Escape');
  await open();
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog
    .getByText(/After the pause, likes continue until .*, which you’ve paid for/)
    .waitFor();
  await dialog.getByRole('button', { name: /^Stop on \w+ \d{1,2}, \d{4}/ }).click();
  await dialog.getByText('We’ve emailed you.').waitFor();
  await page.keyboard.press('Escape');
  await open();
  const sentence = dialog.getByText(
    /A pause is planned.*Then likes continue until .*, which you’ve paid for/,
  );
  await expect.poll(() => sentence.count()).toBe(1);
});

test('money back asked for while the answer is lost is asked for once, stands under Billing with its next step, and is not offered a second time', async () => {
  const { dialog, page, open, userId } = await managed('asks.once');
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await page.route(MONEY_BACK, loseAnswer, { times: 1 });
  const ask = dialog.getByRole('button', { name: 'Get $9.99 back' });
  await ask.click();
  await dialog.getByText('We couldn’t reach the server').waitFor();
  // The plan has ended already, and the dialog says so once it knows.
  await page.keyboard.press('Escape');
  // Without the server nobody can know of it; it is said once the server is there again.
  const everyCall = '**/user/**';
  await keepIntercepting(page.context());
  await page.context().route(everyCall, (route) => route.abort());
  await page.goto(`${shared.product.url}/my-billing`);
  await page.locator('header [data-kind="offline"]').waitFor();
  const section = page.getByRole('region', { name: 'Money back' });
  expect(await section.count()).toBe(0);
  await page.context().unroute(everyCall);
  await page.evaluate(() => dispatchEvent(new Event('focus')));
  const row = section.getByRole('listitem');
  await row.getByText('@asks.once: Requested').waitFor();
  expect(await row.count()).toBe(1);
  await row.getByText('$9.99', { exact: true }).waitFor();
  await row
    .getByText(
      /^Nothing is deducted from the \$9\.99 charged\. Approved by .* at the latest\..* within 7 to 10 business days\.$/,
    )
    .waitFor();
  const paid = await page.request.post(`${shared.product.url}${ADD_PLAN}`, {
    data: { ...CARD, userId, igUsername: 'asks.once', packageIndex: 1 },
  });
  expect(paid.ok()).toBe(true);
  await page.goto(`${shared.product.url}/my-subscriptions`);
  await open();
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog
    .getByText(/^Money back is possible .* once per account\. It isn’t available for this plan/)
    .waitFor();
  expect(await dialog.getByRole('button', { name: /^Get / }).count()).toBe(0);
});

test('after the 30 days the way out says that money back is no longer possible, and offers the others', async () => {
  const { dialog, page, open } = await managed('stayed.long');
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog.getByRole('button', { name: 'Get $9.99 back' }).waitFor();
  await page.keyboard.press('Escape');
  await page.clock.setFixedTime(Date.now() + 31 * 86_400_000);
  await open();
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog.getByText(/It isn’t available for this plan\./).waitFor();
  expect(await dialog.getByRole('button', { name: /^Get / }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Stop likes today' }).waitFor();
});

test('an exit without an answer says so, reads the plan again, and can be pressed again', async () => {
  const { dialog, page } = await managed('lost.stop');
  await page.route('**/user/subscription/stopNow', (route) => route.abort(), { times: 1 });
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog.getByRole('button', { name: 'Stop likes today' }).click();
  await dialog.getByRole('button', { name: 'Yes, stop now' }).click();
  await dialog.getByText('We couldn’t reach the server').waitFor();
  await dialog.getByRole('button', { name: 'Yes, stop now' }).click();
  await dialog.getByText(/^Your plan has stopped\. New posts get no more likes/).waitFor();
  expect(await dialog.getByRole('button', { name: 'Yes, stop now' }).count()).toBe(0);
});

test('every account dialog is free of violations axe can find, light and dark, and gives the focus back', async () => {
  const { page } = await managed('for.all.eyes');
  await page.keyboard.press('Escape');
  const opener = page.getByRole('button', { name: 'Manage @for.all.eyes' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const item of ['Change username', 'Manage subscription', 'Delivery settings']) {
      await opener.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Manage account' }).waitFor();
      await expectAccessible(page, '[role="dialog"]');
      await page.getByRole('button', { name: item }).press('Enter');
      await page.getByRole('dialog', { name: item }).waitFor();
      await expectAccessible(page, '[role="dialog"]');
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      await expect.poll(() => opener.evaluate((el) => el.matches(':focus'))).toBe(true);
    }
  }
});
