import { expect, test } from 'vitest';
import { findOwnership } from '#shared/contract/accounts/account-changes.ts';
import { addSubscription, addSubscriptionWithSavedCard } from '#shared/contract/money/checkout.ts';
import { buyCredits, buyCreditsWithSavedCard } from '#shared/contract/money/credits.ts';
import { CREDIT_PACKAGES } from '#shared/domain/money/credit-packages.ts';
import { formatCents } from '#shared/domain/money/money.ts';
import { PLANS } from '#shared/domain/money/plans.ts';
import { CARD, fillCard, NEWCOMER, OWNER } from '#web/testing/dom/customer-forms.ts';
import { refuse } from '#web/testing/dom/fake-server.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample, unpaidAccount, userExample } from '#web/testing/examples.ts';

const pay = (page: Page): Promise<void> => page.button(/^Confirm & Pay/).click();
const options = (page: Page, label: string): string[] =>
  page.getByLabel(label).locator('option').texts();
const summary = (page: Page, label: string) =>
  page
    .getByRole('complementary', { name: 'Summary' })
    .locator('div')
    .filter({ has: page.locator('dt').filter({ hasText: label }) })
    .last()
    .locator('dd')
    .text();

/** Two accounts, of which the second has no plan. */
const WITH_ANOTHER = userExample({
  connectedAccounts: [
    accountExample(),
    unpaidAccount({ igUsername: 'gets.a.plan', igId: '17841400000000002' }),
  ],
});
const OTHER = '/other-account-subscription?defaultIgUsername=gets.a.plan';

// Shows facts 2.05, 2.78, 2.81.
test('the own checkout opens with the customer’s package and username, titled "Secure checkout"', async () => {
  const page = await openPage('/subscription', { user: { ...NEWCOMER, package: 4 } });
  await page.getByRole('heading', { name: 'Secure checkout', level: 1 }).waitFor();
  await expect.poll(() => document.title).toBe('Secure checkout · Ovation');
  expect(await page.getByLabel('Choose Your plan').inputValue()).toBe('4');
  await page.getByRole('form', { name: 'Secure checkout' }).getByText('@ada.paints').waitFor();
});

test('who leaves the checkout and comes back finds the plan they picked, until it is paid or they log out', async () => {
  const plan = (page: Page) => page.getByLabel('Choose Your plan');
  const picked = () => localStorage.getItem('ovation-picked-plan');
  const page = await openPage('/subscription', { user: { ...NEWCOMER, package: 7 } });
  expect(await plan(page).inputValue()).toBe('7');
  await plan(page).selectOption('9');
  const back = await openPage('/subscription', {
    user: { ...NEWCOMER, package: 7 },
    kept: { 'ovation-picked-plan': picked() ?? '' },
  });
  expect(await plan(back).inputValue()).toBe('9');
  await fillCard(back);
  back.server.gives(addSubscription, OWNER);
  await pay(back);
  await back.getByText('Payment Successful').waitFor();
  expect(picked()).toBeNull();
  const other = await openPage('/subscription', {
    user: { ...NEWCOMER, package: 7 },
    kept: { 'ovation-picked-plan': `somebody-else 9` },
  });
  expect(await plan(other).inputValue()).toBe('7');
});

// Shows facts 1.16, 2.79, 5.14, 5.24, 5.25, 9.01, 9.02, 9.03, 9.04.
test('the months 01 to 12, the years 2024 to 2034 and 27 countries are offered, the US first chosen, and the nine plans with their prices', async () => {
  const page = await openPage('/subscription', { user: NEWCOMER });
  await page.getByLabel('Card number').waitFor();
  expect(options(page, 'Month').join(' ')).toBe('MM 01 02 03 04 05 06 07 08 09 10 11 12');
  expect(options(page, 'Year').slice(1)).toEqual(
    Array.from({ length: 11 }, (_, index) => String(2024 + index)),
  );
  expect(options(page, 'Country')).toHaveLength(27);
  expect(await page.getByLabel('Country').inputValue()).toBe('US');
  expect(options(page, 'Choose Your plan')).toEqual(
    PLANS.map(
      ({ description, priceCents }) =>
        `${description} likes per post, ${formatCents(priceCents)} a month`,
    ),
  );
});

// Shows facts 2.80, 2.81.
test('the summary follows the chosen plan: likes per post, monthly price, next charge date, total today', async () => {
  const page = await openPage('/subscription', { user: NEWCOMER });
  await page.getByLabel('Choose Your plan').selectOption('3');
  expect(await summary(page, 'Likes per post')).toBe('250');
  expect(await summary(page, 'Monthly price')).toBe('$24.00');
  expect(await summary(page, 'Total today')).toBe('$24.00');
  // In the zone of whoever runs this, where it may be the 23rd already.
  const due = new Date(NOW);
  due.setMonth(due.getMonth() + 1);
  const dueDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(due);
  expect(await summary(page, 'Next charge date')).toBe(dueDate);
  const day = due.getDate() === 22 ? '22nd' : '23rd';
  await page.getByText(`You pay $24.00 now, then $24.00 on the ${day} of each month`).waitFor();
  await page.getByText('against most networks’ rules').waitFor();
});

// Shows facts 1.22, 2.73, 2.74, 9.05, 9.06.
test('the credits checkout has card form, billing address, the six packages, "Confirm & Pay" and links to terms and privacy policy; without a package nothing is sent', async () => {
  const page = await openPage('/payment/credits', { user: NEWCOMER });
  for (const label of [...Object.keys(CARD), 'Apartment', 'Country']) {
    await page.getByLabel(label).waitFor();
  }
  for (const { credits, priceCents } of CREDIT_PACKAGES) {
    const offer = `${credits.toLocaleString('en-US')} credits`;
    const radio = page.getByRole('radio', {
      name: new RegExp(`^${offer}.*\\${formatCents(priceCents)}`),
    });
    await radio.waitFor();
  }
  expect(page.getByRole('radio').count()).toBe(CREDIT_PACKAGES.length);
  const link = (name: string) => page.locator('form').getByRole('link', { name });
  expect(await link('terms of service').getAttribute('href')).toBe('/terms-of-service');
  expect(await link('privacy policy').getAttribute('href')).toBe('/privacy-policy');
  await fillCard(page);
  await pay(page);
  await page.getByText('Please choose a credit package', { exact: true }).waitFor();
  expect(page.server.asked(buyCredits)).toEqual([]);
});

// Shows facts 3.12, 3.14, 3.15.
test('the checkouts send card, address and what is bought, and no address of the visitor', async () => {
  const card = ['ccNum', 'ccName', 'ccMonth', 'ccYear', 'cvv'];
  const address = ['country', 'address', 'apartment', 'city', 'state', 'zip', 'phone'];
  const plan = await openPage('/subscription', { user: NEWCOMER });
  await fillCard(plan);
  await pay(plan);
  await expect.poll(() => plan.server.asked(addSubscription)).toHaveLength(1);
  expect(plan.server.asked(addSubscription)[0]?.names).toEqual(
    [...card, ...address, 'userId', 'igUsername', 'packageIndex', 'amount', 'timeZone'].toSorted(),
  );
  const pack = await openPage('/payment/credits', { user: OWNER });
  await pack.getByLabel('2,500 credits').click();
  await fillCard(pack);
  await pay(pack);
  await expect.poll(() => pack.server.asked(buyCredits)).toHaveLength(1);
  expect(pack.server.asked(buyCredits)[0]?.names).toEqual(
    [...card, ...address, 'amount', 'credits', 'userId'].toSorted(),
  );
});

// Shows fact 2.82.
test('the dialog is shown only if the answer says that the customer is in a subscription', async () => {
  const page = await openPage('/subscription', { user: NEWCOMER });
  page.server.gives(addSubscription, NEWCOMER);
  await fillCard(page);
  await pay(page);
  await page.getByText('You were charged, but your plan isn’t active yet.').waitFor();
  expect(page.getByText('Payment Successful').count()).toBe(0);
});

// Shows facts 2.83, 2.84, 4.11.
test('after the payment the stored user is the returned one, the chosen account is active, and the accounts are read anew', async () => {
  const paid = {
    ...WITH_ANOTHER,
    credits: 960,
    connectedAccounts: [
      accountExample(),
      accountExample({ igUsername: 'gets.a.plan', igId: '17841400000000002' }),
    ],
  };
  const page = await openPage(`${OTHER}&packageValue=2`, { user: WITH_ANOTHER });
  page.server.gives(addSubscription, paid);
  await fillCard(page);
  await pay(page);
  await page.getByText('Payment Successful').waitFor();
  expect(page.server.asked(addSubscription)[0]?.input).toMatchObject({
    packageIndex: 2,
    amount: PLANS[1]?.priceVal,
    igUsername: 'gets.a.plan',
  });
  const kept = () =>
    (JSON.parse(localStorage.getItem('ovation-client-state') ?? '{}') as { state: unknown }).state;
  await expect.poll(kept).toMatchObject({
    user: { credits: 960 },
    activeAccount: { activeusername: 'gets.a.plan' },
    connectedAccounts: [
      { igUsername: 'ada.paints', nextBillingDate: expect.any(String) },
      { igUsername: 'gets.a.plan', nextBillingDate: expect.any(String) },
    ],
  });
});

test('a plan whose payment is past due says since when, and not that nothing is charged today', async () => {
  const connectedAccounts = [accountExample({ subscriptionState: 'Past due' })];
  const page = await openPage('/subscription', { user: userExample({ connectedAccounts }) });
  await page.getByText(/already has a plan .* Its payment has been due since \w+ \d/).waitFor();
  await page.getByText('The payment for this month is still due.').waitFor();
  expect(page.getByText(/won’t be charged today/).count()).toBe(0);
});

// Shows facts 2.07, 2.08, 2.78.
test('the page of another account takes its name and plan from the address; one that is paid already is offered a plan change and no card form', async () => {
  const foreign = await openPage(
    '/other-account-subscription?packageValue=3&defaultIgUsername=somebody.else',
    { user: OWNER },
  );
  await foreign.getByText('@somebody.else isn’t one of your connected accounts').waitFor();
  expect(foreign.path).toBe('/my-subscriptions');
  const page = await openPage(
    '/other-account-subscription?packageValue=3&defaultIgUsername=ada.paints',
    { user: OWNER },
  );
  await page.getByText('@ada.paints already has a plan with 50 likes per post').waitFor();
  expect(await page.getByLabel('Choose Your plan').inputValue()).toBe('3');
  expect(page.getByLabel('Card number').count()).toBe(0);
  const now = page.getByRole('complementary', { name: 'Your current plan' });
  expect(now.locator('dd').texts()).toEqual(['50', '$9.99', 'December 21, 2026']);
});

// Shows facts 2.07, 2.08, 2.78.
test.each([['2', '2'], ['9', '9'], ...['0', '10', '2.5', 'two', ''].map((bad) => [bad, '1'])])(
  'packageValue %j in the address opens the checkout with plan %s, shown, priced and sent alike',
  async (value, number) => {
    const user = { ...WITH_ANOTHER, billingInfo: OWNER.billingInfo };
    const page = await openPage(`${OTHER}&packageValue=${value}`, { user });
    page.server.gives(findOwnership, {
      standing: 'free',
      code: null,
      expiresAt: null,
      isProved: false,
    });
    expect(await page.getByLabel('Choose Your plan').inputValue()).toBe(number);
    const plan = PLANS.find((one) => String(one.number) === number);
    expect(await summary(page, 'Total today')).toBe(formatCents(plan?.priceCents ?? 0));
    await page.button(/^Pay .* with the card ending in 242$/).click();
    await expect.poll(() => page.server.asked(addSubscriptionWithSavedCard)).toHaveLength(1);
    expect(page.server.asked(addSubscriptionWithSavedCard)[0]?.input).toMatchObject({
      packageIndex: Number(number),
      amount: plan?.priceVal,
      igUsername: 'gets.a.plan',
    });
  },
);

test('who has a saved card pays with one press: the card is named, and it is sent as it was shown', async () => {
  const page = await openPage('/payment/credits', { user: OWNER });
  expect(await page.button('Choose a package').isEnabled()).toBe(false);
  expect(page.button(/^Pay/).count()).toBe(0);
  const text = (await page.locator('form').one()).textContent ?? '';
  expect(text.indexOf('expires')).toBeLessThan(text.indexOf('Credit package'));
  await page.getByLabel('2,500 credits').click();
  expect(page.getByLabel('Card number').count()).toBe(0);
  await page.getByText('Pays for @ada.paints.').waitFor();
  await page.button(/^Pay .* with the card ending in 242$/).click();
  await expect.poll(() => page.server.asked(buyCreditsWithSavedCard)).toHaveLength(1);
  expect(page.server.asked(buyCreditsWithSavedCard)[0]?.input).toEqual({
    userId: OWNER.id,
    amount: 10,
    credits: 2500,
    savedCard: OWNER.billingInfo?.ccNum,
  });
  expect(page.server.asked(buyCredits)).toEqual([]);
});

test('a further plan is paid with the saved card; a small link opens another card, and back', async () => {
  const user = { ...WITH_ANOTHER, billingInfo: OWNER.billingInfo };
  const page = await openPage(`${OTHER}&packageValue=2`, { user });
  await page.button('Use another card').click();
  await page.getByLabel('Card number').waitFor();
  await expect.poll(() => document.activeElement?.getAttribute('name')).toBe('ccName');
  await page.getByText('later charges go to the card ending in 242').waitFor();
  await page.button('Use the card ending in 242').click();
  await expect.poll(() => document.activeElement?.textContent).toBe('Use another card');
  await page.button(/^Pay .* with the card ending in 242$/).click();
  await expect.poll(() => page.server.asked(addSubscriptionWithSavedCard)).toHaveLength(1);
  expect(page.server.asked(addSubscriptionWithSavedCard)[0]?.input).toMatchObject({
    igUsername: 'gets.a.plan',
    packageIndex: 2,
    savedCard: OWNER.billingInfo?.ccNum,
  });
});

test('another card is for all plans only when the box is ticked', async () => {
  const page = await openPage('/payment/credits', { user: OWNER });
  await page.getByLabel('2,500 credits').click();
  await fillCard(page);
  for (const [index, isTicked] of [false, true].entries()) {
    if (isTicked) await page.getByLabel('Use this card for all my plans from now on').click();
    page.server.next(buyCredits, refuse('network_unreachable', `Down ${index}.`));
    await pay(page);
    await page.getByText(`Down ${index}.`).waitFor();
    const names = page.server.asked(buyCredits)[index]?.names;
    expect(names?.includes('forAllPlans')).toBe(isTicked);
  }
});
