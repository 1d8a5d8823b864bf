import { expect, test } from 'vitest';
import { findDeliverySettings } from '#shared/contract/accounts/account-changes.ts';
import { manage, OWNER } from '#web/testing/dom/customer-forms.ts';
import { fillDisk } from '#web/testing/dom/full-disk.ts';
import type { Locator } from '#web/testing/dom/locator.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';
import { deferred, refuse, unreachable } from '#web/testing/open-changes.ts';

const SETTINGS = OWNER.connectedAccounts[0]?.delivery;

async function open(backlogMinutes = 0): Promise<{ page: Page; drawer: Locator }> {
  const page = await openPage('/my-subscriptions', {
    user: OWNER,
    replica: {},
    server: (server) => {
      if (!SETTINGS) throw new Error('The example has an account.');
      server.gives(findDeliverySettings, { settings: SETTINGS, backlogMinutes, planLikes: 50 });
    },
  });
  await manage('Delivery settings')(page);
  return { page, drawer: page.getByRole('dialog', { name: 'Delivery settings' }) };
}

const save = (drawer: Locator): Promise<void> =>
  drawer.getByRole('button', { name: 'Save settings' }).click();

// Shows facts 2.58, 2.62, 2.63, 2.65, 2.66, 5.28.
test('delivery settings: switch, six speeds, a range from 10 to 1000 that warns below the plan, saved and there again', async () => {
  const { page, drawer } = await open();
  await drawer.getByLabel('Delivery speed').waitFor();
  expect(drawer.getByLabel('Delivery speed').locator('option').texts()).toEqual([
    'Instant',
    '30 Min',
    '1 Hour',
    '2 Hours',
    '3 Hours',
    '4 Hours',
  ]);
  expect(drawer.getByText('up to 24 hours').count()).toBe(0);
  const irregular = drawer.getByRole('switch', { name: 'Irregular likes' });
  expect(await irregular.isChecked()).toBe(false);
  await drawer.getByRole('switch', { name: 'Automatic Likes' }).setChecked(false);
  await drawer.getByLabel('Delivery speed').selectOption('2 Hours');
  await irregular.setChecked(true);
  await drawer.getByLabel('Minimum likes').fill('9');
  await drawer.getByLabel('Maximum likes').fill('1001');
  await save(drawer);
  await expect
    .poll(() => drawer.getByText('Please enter a number from 10 to 1000').count())
    .toBe(2);
  await drawer.getByLabel('Minimum likes').fill('40');
  await drawer.getByLabel('Maximum likes').fill('30');
  await drawer.getByText('This range is below your plan').waitFor();
  await save(drawer);
  await drawer.getByText('The minimum can’t be higher than the maximum').waitFor();
  await drawer.getByLabel('Minimum likes').fill('20');
  await save(drawer);
  await page.toasts.getByText('Delivery settings saved').waitFor();
  expect(page.leader?.sent[0]?.args).toMatchObject({
    settings: { automaticLikes: false, speed: '2 Hours', range: { min: 20, max: 30 } },
  });
  await drawer.waitFor({ state: 'gone' });
  await manage('Delivery settings')(page);
  expect(await drawer.getByRole('switch', { name: 'Automatic Likes' }).isChecked()).toBe(false);
  expect(await drawer.getByLabel('Delivery speed').inputValue()).toBe('2 Hours');
  expect(await drawer.getByLabel('Minimum likes').inputValue()).toBe('20');
});

// Shows facts 2.58, 2.62, 2.63, 2.65, 2.66, 5.28.
test('a backlog of the delivery network is said: speeds are disabled, and likes may take up to 24 hours', async () => {
  const { drawer } = await open(90);
  const sentence = 'Speeds are disabled for now, and likes may take up to 24 hours';
  await expect.poll(() => drawer.getByText(sentence).count()).toBe(1);
});

test.each([
  ['a refusal', refuse, 'Too few credits.'],
  ['a full device', undefined, 'This device couldn’t save your settings'],
] as const)(
  '%s is said by the settings, which keep what was chosen',
  async (_what, answer, said) => {
    const { page, drawer } = await open();
    if (answer && page.leader) page.leader.answer = answer;
    await drawer.getByLabel('Delivery speed').selectOption('1 Hour');
    if (!answer) fillDisk();
    await save(drawer);
    await drawer.getByText(said).waitFor();
    expect(await drawer.getByLabel('Delivery speed').inputValue()).toBe('1 Hour');
  },
);

test.each([
  ['no answer', unreachable, 'Delivery settings will be saved when you’re back online'],
  [
    'what the server defers',
    deferred,
    'Delivery settings aren’t saved yet: Please try again shortly.',
  ],
] as const)(
  'with %s the settings wait on this device, and are sent later',
  async (_what, answer, said) => {
    const { page, drawer } = await open();
    if (page.leader) page.leader.answer = answer;
    await drawer.getByLabel('Delivery speed').selectOption('1 Hour');
    await save(drawer);
    await page.toasts.getByText(said).waitFor();
    await drawer.waitFor({ state: 'gone' });
    const changes = page.getByRole('button', { name: /show changes/ });
    await changes.waitFor();
    if (page.leader) page.leader.answer = page.leader.carryOut;
    page.leader?.say({ kind: 'live' });
    expect(page.leader?.sent[0]?.args).toMatchObject({ settings: { speed: '1 Hour' } });
  },
);
