import { expect, test } from 'vitest';
import type { CallData } from '#shared/contract/call.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import {
  cancelSubscription,
  changePlan,
  keepPlan,
  moneyBack,
  type MoneyBackQuote,
  pauseSubscription,
  quoteMoneyBack,
  quotePlan,
  resumeSubscription,
  stopSubscription,
} from '#shared/contract/money/subscription.ts';
import { findUser, type User } from '#shared/contract/people/user.ts';
import { manage, OWNER, QUOTE } from '#web/testing/dom/customer-forms.ts';
import { lose, refuse, succeed } from '#web/testing/dom/fake-server.ts';
import type { Locator } from '#web/testing/dom/locator.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { accountExample } from '#web/testing/examples.ts';

/** The customer with another state of the account. */
const withAccount = (changes: Partial<ConnectedAccount>): User => ({
  ...OWNER,
  connectedAccounts: [accountExample(changes)],
});
const MONEY: MoneyBackQuote = {
  least: 9.99,
  most: 9.99,
  until: '2026-12-21T09:00:00.000Z',
  charged: 9.99,
  hasFreeLikes: true,
  paidLikes: 0,
  likesCost: 0,
  takenCredits: 0,
  usedCredits: 0,
  creditsCost: 0,
};
/** What asking for the money gives. */
const ASKED: CallData<typeof moneyBack> = {
  user: withAccount({ subscriptionState: 'Canceled', moneyBackState: 'Requested' }),
  state: 'Requested',
  amount: 9.99,
  most: 9.99,
  approvedBy: '2026-11-25T12:00:00.000Z',
};
const STOPPED = { message: 'Your plan has stopped. New posts get no likes any more.' };

const open = async (user: User = OWNER, now = NOW): Promise<{ page: Page; dialog: Locator }> => {
  const page = await openPage('/my-subscriptions', { user, platform: { now: () => now } });
  page.server.gives(quoteMoneyBack, MONEY);
  await manage('Manage subscription')(page);
  return { page, dialog: page.getByRole('dialog', { name: 'Manage subscription' }) };
};
const leave = async (user?: User): Promise<{ page: Page; dialog: Locator }> => {
  const opened = await open(user);
  await opened.dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  return opened;
};
const press = (place: Locator, name: string | RegExp): Promise<void> =>
  place.getByRole('button', { name, exact: true }).click();

// Shows facts 2.59, 4.17, 4.18.
test('a plan change shows its exact price, asks again when the price changed, and its repeats are one payment', async () => {
  const { page, dialog } = await open();
  await dialog.getByText('Next billing date').waitFor();
  await dialog.getByLabel('Choose Your plan').selectOption('5');
  await dialog
    .getByText(/Plan changes apply instantly to the likes sent, and you are billed for the new/)
    .waitFor();
  page.server.next(
    quotePlan,
    succeed(quotePlan, QUOTE),
    succeed(quotePlan, {
      ...QUOTE,
      quoteId: '0192d3c0-0000-7000-8000-0000000000f3',
      totalToday: 60,
    }),
  );
  await press(dialog, 'Next');
  await dialog.getByText('Total today').waitFor();
  expect(await dialog.text()).toMatch(
    /Total today \$65\.33.*\$75\.00 less \$9\.67 for 29 unused days of 30\./,
  );
  page.server.next(
    changePlan,
    refuse('price_changed', 'The price has changed since you saw it. You were not charged.'),
    lose,
    succeed(changePlan, OWNER),
  );
  await press(dialog, 'Confirm & Pay');
  await dialog.getByText('The price has changed since you saw it. You were not charged').waitFor();
  expect(await dialog.text()).toContain('$60.00');
  await press(dialog, 'Confirm & Pay');
  await dialog.getByText('you won’t be charged twice').waitFor();
  await press(dialog, 'Confirm & Pay');
  await dialog.getByText('Done. Your next post gets').waitFor();
  const [, lost, again] = page.server.asked(changePlan);
  expect(again).toEqual(lost);
  await press(dialog, 'Done');
  await dialog.waitFor({ state: 'gone' });
});

// Shows fact 4.17.
test('a smaller plan says from when and for how much, is shown until then, and can be taken back', async () => {
  const planned =
    /Starting December 21, 2026, you pay \$9\.99 a month for 50 likes per post\. Nothing changes until then\./;
  const before = withAccount({ accountPackageId: 2 });
  const after = withAccount({
    accountPackageId: 2,
    nextPackageId: 1,
    nextPackageFrom: '2026-12-21T09:00:00.000Z',
  });
  const { page, dialog } = await open(before);
  await dialog.getByLabel('Choose Your plan').selectOption('1');
  await dialog.getByText('A smaller plan starts on the next due date.').waitFor();
  expect(dialog.getByText('Plan changes apply instantly').count()).toBe(0);
  page.server.gives(quotePlan, {
    ...QUOTE,
    packageIndex: 1,
    price: 9.99,
    starts: 'next_due_date',
    totalToday: 0,
    nextBillingDate: '2026-12-21T09:00:00.000Z',
  });
  page.server.gives(changePlan, after);
  page.server.gives(findUser, after);
  await press(dialog, 'Next');
  await dialog.getByText(planned).waitFor();
  await press(dialog, /^Change on December 21, 2026/);
  await dialog.getByText('We’ve emailed you.').waitFor();
  await press(dialog, 'Done');
  await dialog.waitFor({ state: 'gone' });
  await page.getByText(/^50 likes from Dec 21, 2026$/).waitFor();
  await manage('Manage subscription')(page);
  await dialog.getByText(planned).waitFor();
  page.server.gives(keepPlan, before);
  await press(dialog, 'Keep my plan');
  await dialog.getByText(planned).waitFor({ state: 'gone' });
  await page.getByText(/^50 likes from/).waitFor({ state: 'gone' });
  expect(page.server.asked(changePlan)).toHaveLength(1);
});

test('a pause says until when, that nothing is charged and to when the next charge moves; it can be ended', async () => {
  const { page, dialog } = await leave();
  await dialog
    .getByText(/You won’t be charged until then, and your next charge moves to .* Dates are in/)
    .waitFor();
  await dialog.getByLabel('Pause until').fill('2020-01-01');
  await press(dialog, 'Pause');
  await dialog.getByText('Please choose a day 2 to 181 days from today').waitFor();
  expect(page.server.asked(pauseSubscription)).toEqual([]);
  await dialog.getByLabel('Pause until').fill('2026-12-02');
  const paused = withAccount({
    pausesAt: '2026-11-23T00:00:00.000Z',
    resumesAt: '2026-12-02T00:00:00.000Z',
  });
  page.server.on(pauseSubscription, succeed(pauseSubscription, paused, { message: 'Paused.' }));
  await press(dialog, 'Pause until December 2, 2026');
  await dialog.getByText('We’ve emailed you.').waitFor();
  expect(page.server.asked(pauseSubscription)[0]?.input).toMatchObject({
    until: '2026-12-02T00:00:00.000Z',
  });
  await press(dialog, 'Done');
  await manage('Manage subscription')(page);
  await dialog
    .getByText(
      /A pause is scheduled: likes stop on November 23, 2026, and start again on December 2/,
    )
    .waitFor();
  const goesOn = {
    message: 'Your plan will keep renewing. Your next charge is on December 21, 2026.',
  };
  page.server.on(resumeSubscription, succeed(resumeSubscription, OWNER, goesOn));
  await press(dialog, 'Undo the pause');
  await dialog.getByText('Your plan will keep renewing. Your next charge is on').waitFor();
  expect(dialog.getByRole('button', { name: 'Undo the pause' }).count()).toBe(0);
});

// Shows facts 1.20, 2.60.
test('cancelling takes two clicks, says the date and that nothing more is charged, and can be taken back', async () => {
  const { page, dialog } = await leave();
  await dialog
    .getByText(
      /Likes continue until December 21, 2026, which you’ve paid for\..*you won’t be charged again/,
    )
    .waitFor();
  const stopping = withAccount({ endsAt: '2026-12-21T09:00:00.000Z' });
  page.server.on(cancelSubscription, succeed(cancelSubscription, stopping, { message: 'Stops.' }));
  await press(dialog, 'Stop on December 21, 2026');
  await dialog.getByText('We’ve emailed you.').waitFor();
  await press(dialog, 'Done');
  await manage('Manage subscription')(page);
  await dialog
    .getByText(
      /Stops on December 21, 2026\. Likes continue until then, and you won’t be charged again/,
    )
    .waitFor();
  const goesOn = {
    message: 'Your plan will keep renewing. Your next charge is on December 21, 2026.',
  };
  page.server.on(resumeSubscription, succeed(resumeSubscription, OWNER, goesOn));
  await press(dialog, 'Undo the stop');
  await dialog.getByText('Your plan will keep renewing. Your next charge is on').waitFor();
  expect(page.server.asked(cancelSubscription)).toHaveLength(1);
});

// Shows facts 1.19, 9.11.
test('money back in the first 30 days: amount and date said before, review in 3 to 5 and payout in 7 to 10 business days', async () => {
  const { page, dialog } = await leave();
  await dialog
    .getByText(
      /Until December 21, 2026, no questions asked: likes stop right away and \$9\.99 goes back to your card\. Nothing is deducted from the \$9\.99 charged\..*3 to 5 business days.*7 to 10 business days/,
    )
    .waitFor();
  page.server.gives(moneyBack, ASKED);
  await press(dialog, 'Get $9.99 back');
  await dialog.getByText(/Likes have stopped, and \$9\.99 is going back to your card/).waitFor();
  await press(dialog, 'Done');
  await dialog.waitFor({ state: 'gone' });
  expect(page.server.asked(moneyBack)).toHaveLength(1);
});

// Shows fact 9.10.
test('money back asked for while the answer is lost is asked for under the same key again, and is not offered a second time', async () => {
  const { page, dialog } = await leave();
  page.server.next(moneyBack, lose);
  page.server.gives(moneyBack, ASKED);
  await press(dialog, 'Get $9.99 back');
  await dialog.getByText('We couldn’t reach the server').waitFor();
  await press(dialog, 'Get $9.99 back');
  await dialog.getByText(/Likes have stopped, and \$9\.99 is going back to your card/).waitFor();
  const [lost, again] = page.server.asked(moneyBack);
  expect(lost?.idempotencyKey).toMatch(/^[-\da-f]{36}$/);
  expect(again).toEqual(lost);
  await press(dialog, 'Done');
  await manage('Manage subscription')(page);
  await dialog.getByText(/You’ve asked for your money back.* See it under Billing/).waitFor();
  expect(dialog.getByRole('button', { name: /^Get / }).count()).toBe(0);
});

// Shows fact 9.10.
test('a plan that was stopped today still offers its money back, with amount and date, and gives it', async () => {
  const { page, dialog } = await leave();
  await dialog
    .getByText(/Orders in progress finish\..*the remaining days aren’t refunded/)
    .waitFor();
  await press(dialog, 'Stop likes today');
  const stopped = withAccount({ subscriptionState: 'Canceled', nextBillingDate: null });
  page.server.on(stopSubscription, succeed(stopSubscription, stopped, STOPPED));
  await press(dialog, 'Yes, stop now');
  await dialog.getByText(/^Your plan has stopped\. New posts get no likes any more/).waitFor();
  await press(dialog, 'Done');
  await dialog.waitFor({ state: 'gone' });
  await page.getByText(/^Money back until Dec 21, 2026$/).waitFor();
  await manage('Manage subscription')(page);
  await dialog
    .getByText(/^Until December 21, 2026, no questions asked: \$9\.99 goes back/)
    .waitFor();
  page.server.gives(moneyBack, ASKED);
  await press(dialog, 'Get $9.99 back');
  await dialog.getByText(/\$9\.99 is going back to your card/).waitFor();
  expect(dialog.getByRole('button', { name: /Get .* back/ }).count()).toBe(0);
});

test('a paused plan that is canceled is said to go on after the pause until the day paid for', async () => {
  const paused = { pausesAt: '2026-11-23T00:00:00.000Z', resumesAt: '2026-12-02T00:00:00.000Z' };
  const first = await leave(withAccount(paused));
  await first.dialog
    .getByText(/After the pause, likes continue until December 21, 2026, which you’ve paid for/)
    .waitFor();
  const { dialog } = await open(withAccount({ ...paused, endsAt: '2026-12-30T09:00:00.000Z' }));
  const sentence =
    /A pause is scheduled.*Then likes continue until December 30, 2026, which you’ve paid for/;
  await expect.poll(() => dialog.getByText(sentence).count()).toBe(1);
});

// Shows fact 9.10.
test('after the 30 days the way out says that money back is no longer possible, and offers the others', async () => {
  const { dialog } = await open(OWNER, NOW + 31 * 86_400_000);
  await press(dialog, 'Cancel subscription');
  await dialog.getByText(/This plan doesn’t qualify\./).waitFor();
  expect(dialog.getByRole('button', { name: /^Get / }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Stop likes today' }).waitFor();
});

test('a cancellation without an answer says so, reads the plan again, and can be pressed again', async () => {
  const { page, dialog } = await leave();
  const read = page.server.asked(findUser).length;
  page.server.next(stopSubscription, lose, succeed(stopSubscription, OWNER, STOPPED));
  await press(dialog, 'Stop likes today');
  await press(dialog, 'Yes, stop now');
  await dialog.getByText('We couldn’t reach the server').waitFor();
  expect(page.server.asked(findUser)).toHaveLength(read + 1);
  await press(dialog, 'Yes, stop now');
  await dialog.getByText(/^Your plan has stopped\. New posts get no likes any more/).waitFor();
  expect(dialog.getByRole('button', { name: 'Yes, stop now' }).count()).toBe(0);
});
