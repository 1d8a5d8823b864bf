import { expect, test } from 'vitest';
import { planBulk, startBulk } from '#shared/contract/accounts/bulk.ts';
import type { ConnectedAccount } from '#shared/contract/accounts/connected-account.ts';
import { parseIgUsername } from '#shared/domain/accounts/ig-username.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage } from '#web/testing/dom/open-page.ts';
import { accountExample, unpaidAccount, userExample } from '#web/testing/examples.ts';
import { changeSample, type SampleItem } from './change-sample.ts';
import { sampleAccounts, SAMPLE_FIGURES } from './sample-accounts.ts';

test('whoever has no account yet tries a sample and clears it with one press; nothing of it is asked or kept', async () => {
  const user = userExample({ connectedAccounts: [] });
  const page = await openPage('/my-subscriptions', { user, replica: {} });
  await page.getByRole('link', { name: 'Try a sample' }).click();
  await page.waitForPath('/sample-client');
  await page.getByText('These accounts are a sample: they don’t exist').waitFor();
  await page.getByText('@sample-bakery').waitFor();
  await page.getByRole('checkbox', { name: 'Select all that match' }).click();
  await page.button('Change plans').click();
  const dialog = page.getByRole('dialog', { name: 'Change plans of the sample' });
  await dialog.getByText('@sample-flowers: This plan is paused.').waitFor();
  await dialog.getByText('In this sample nothing is.').waitFor();
  await dialog.getByRole('button', { name: /^Start 1 plan and change 9, / }).click();
  await page.getByText('10 plans of the sample changed.').waitFor();
  await expect.poll(() => cellOf('sample-bakery', 'Plan')).toBe('500');
  await page.getByRole('link', { name: 'Clear the sample' }).click();
  await page.getByRole('heading', { name: 'No accounts yet' }).waitFor();
  expect(page.path).toBe('/my-subscriptions');
  expect([planBulk, startBulk].flatMap((call) => page.server.asked(call))).toEqual([]);
  await page.getByRole('link', { name: 'Try a sample' }).click();
  await page.getByText('@sample-bakery').waitFor();
  expect(page.getByText('10 plans of the sample changed.').count()).toBe(0);
});

test('the sample offers nothing that real accounts have: no saved views, no files to upload, nothing to press in its rows', async () => {
  const page = await openPage('/sample-client?sort=-plan', {
    user: userExample({ connectedAccounts: [] }),
    replica: {},
  });
  await page.getByText('@sample-bakery').waitFor();
  const names = page.getByRole('button').texts();
  for (const name of ['Upload CSV', 'Recent changes', 'Save as a view', 'Manage']) {
    expect(names).not.toContain(name);
  }
  await page.button('Columns').click();
  await page.getByText('Planned change').waitFor();
  expect(page.getByText('Kept offline').count()).toBe(0);
});

test('it is offered until an account has a plan', async () => {
  const offered = async (connected: ReturnType<typeof accountExample>): Promise<number> => {
    const user = userExample({ connectedAccounts: [connected] });
    const page = await openPage('/my-subscriptions', { user, replica: {} });
    await page.button('Add account').waitFor();
    return page.getByRole('link', { name: 'Try a sample' }).count();
  };
  expect(await offered(unpaidAccount())).toBe(1);
  expect(await offered(accountExample())).toBe(0);
});

test('no account of the sample can be somebody’s, and none has delivery times or likes kept', () => {
  for (const { igUsername, igId, client } of sampleAccounts(NOW, 'UTC')) {
    expect(parseIgUsername(igUsername)).toBeUndefined();
    expect(client?.name).toBe('Sample client');
    expect(SAMPLE_FIGURES.get(igId)).toMatchObject({ retention: null, detectionMs: null });
  }
});

test('a plan of the sample costs what a real one would', () => {
  const [bakery] = sampleAccounts(NOW, 'UTC');
  if (!bakery) throw new Error('The sample is empty.');
  const planOf = (account: ConnectedAccount, packageIndex: number): SampleItem | undefined =>
    changeSample([account], { kind: 'plan', packageIndex }, NOW)[0];
  // 26 of 30 days of $17.00 are left after today, its third day.
  expect(planOf(bakery, 4)).toMatchObject({ outcome: 'planned', today: 33.27, month: 31 });
  const cheaper = planOf(bakery, 1);
  expect(cheaper).toMatchObject({
    after: { accountPackageId: 2, nextPackageId: 1, nextPackageFrom: bakery.nextBillingDate },
    today: 0,
    month: -7.01,
  });
  if (!cheaper) throw new Error('It can be changed.');
  expect(planOf(cheaper.after, 1)).toMatchObject({ outcome: 'same' });
  expect(planOf(cheaper.after, 2)).toMatchObject({
    after: { nextPackageId: null, nextPackageFrom: null },
    today: 0,
    month: 7.01,
  });
});

test('an account of the sample without a plan begins one as a real one would: a month is charged today', () => {
  const pottery = sampleAccounts(NOW, 'UTC').find(
    ({ igUsername }) => igUsername === 'sample-pottery',
  );
  if (!pottery) throw new Error('The sample has no account without a plan.');
  expect(changeSample([pottery], { kind: 'plan', packageIndex: 1 }, NOW)).toMatchObject([
    {
      outcome: 'planned',
      change: { kind: 'begin', packageIndex: 1, timeZone: 'UTC' },
      after: { accountPackageId: 1, subscriptionState: 'Active' },
      today: 9.99,
      month: 9.99,
    },
  ]);
});

test('tags of several accounts of the sample are shown before they change', async () => {
  const page = await openPage('/sample-client', {
    user: userExample({ connectedAccounts: [] }),
    replica: {},
  });
  await page.getByText('@sample-books').waitFor();
  await page.getByRole('checkbox', { name: 'Select @sample-books' }).click();
  await page.getByRole('checkbox', { name: 'Select @sample-gym' }).click();
  await page.button('Change tags').click();
  const tags = page.getByRole('dialog', { name: 'Change tags of the sample' });
  await tags.getByLabel('Add a tag', { exact: true }).fill('Autumn');
  await tags.getByRole('button', { name: 'Add', exact: true }).click();
  await tags.getByRole('button', { name: 'Check the changes' }).click();
  const change = tags.getByRole('button', { name: 'Change the tags of 2 accounts' });
  await change.waitFor();
  expect(document.querySelector('[aria-label="What changes"]')?.textContent).toContain(
    '@sample-booksNo tagsAutumn',
  );
  expect(cellOf('sample-books', 'Tags')).toBe('–');
  await change.click();
  await expect.poll(() => cellOf('sample-books', 'Tags')).toBe('Autumn');
});

test('tags and delivery settings of the sample are changed and undone, and nothing is asked of the server', async () => {
  const page = await openPage('/sample-client', {
    user: userExample({ connectedAccounts: [] }),
    replica: {},
  });
  await page.getByText('@sample-books').waitFor();
  await page.getByRole('checkbox', { name: 'Select @sample-books' }).click();
  await page.button('Change tags').click();
  const tags = page.getByRole('dialog', { name: 'Change tags of the sample' });
  const tagField = tags.getByLabel('Add a tag', { exact: true });
  await tagField.fill('Autumn');
  await tags.getByRole('button', { name: 'Add', exact: true }).click();
  await tags.getByRole('button', { name: 'Change the tags of @sample-books' }).click();
  await page.getByText('1 account of the sample changed.').waitFor();
  await expect.poll(() => cellOf('sample-books', 'Tags')).toBe('Autumn');
  await page.button('Undo').click();
  await page.getByText('The change of the sample is undone.').waitFor();
  await expect.poll(() => cellOf('sample-books', 'Tags')).toBe('–');

  await page.button('Delivery settings').click();
  const delivery = page.getByRole('dialog', { name: 'Delivery settings of the sample' });
  await delivery.getByLabel('Automatic Likes', { exact: true }).selectOption('Off');
  await delivery.getByRole('button', { name: 'Check the changes' }).click();
  const apply = { name: 'Change the delivery settings of 1 account' };
  await delivery.getByRole('button', apply).click();
  await page.getByText('1 account of the sample changed.').waitFor();
  await page.button('Delivery settings').click();
  await delivery.getByLabel('Automatic Likes', { exact: true }).selectOption('Off');
  await delivery.getByRole('button', { name: 'Check the changes' }).click();
  await delivery.getByText('1 account is already as you want it.').waitFor();
  expect(page.server.asked(planBulk)).toEqual([]);
});

test('the report of the sample has its posts and delivered likes, says they are made up, and can be saved', async () => {
  const saved: string[] = [];
  const page = await openPage('/sample-client', {
    user: userExample({ connectedAccounts: [] }),
    replica: {},
    platform: { saveFile: (name, content) => void saved.push(`${name} ${String(content)}`) },
  });
  await page.button('Client report').click();
  const report = page.getByRole('dialog', { name: /^Sample client, / });
  await report.getByText('These figures are made up.').waitFor();
  expect(report.getByText('Total').count()).toBe(1);
  await report.getByRole('button', { name: 'Download as CSV' }).click();
  const [file = ''] = saved;
  expect(file).toMatch(/^report-sample-client-\d{4}-\d{2}\.csv /);
  const lines = file.trimEnd().split('\r\n').slice(1);
  const [last = '', ...others] = lines.toReversed();
  const sum = (at: number): number =>
    others.reduce((total, line) => total + Number(line.split(',')[at]), 0);
  expect(last).toBe(`Total,${sum(1)},${sum(2)}`);
});

const cellOf = (name: string, label: string): string | null | undefined =>
  document.querySelector(
    `[role="row"]:has(input[aria-label="Select @${name}"]) [data-label="${label}"]`,
  )?.textContent;

test('who closes the report of the sample stands on its button again', async () => {
  const user = userExample({ connectedAccounts: [] });
  const page = await openPage('/sample-client', { user, replica: {} });
  await page.getByText('@sample-bakery').waitFor();
  await page.button('Client report').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).nth(1).click();
  await expect.poll(() => document.activeElement?.textContent).toBe('Client report');
});
