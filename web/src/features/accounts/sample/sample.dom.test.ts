import { expect, test } from 'vitest';
import { planBulk, startBulk } from '#shared/contract/bulk.ts';
import { parseIgUsername } from '#shared/domain/ig-username.ts';
import { NOW } from '#web/testing/dom/now.ts';
import { openPage } from '#web/testing/dom/open-page.ts';
import { accountExample, unpaidAccount, userExample } from '#web/testing/examples.ts';
import { changeSample } from './sample-plans.tsx';
import { sampleAccounts, SAMPLE_FIGURES } from './sample-accounts.ts';

test('whoever has no account yet tries a sample and clears it with one press; nothing of it is asked or kept', async () => {
  const user = userExample({ connectedAccounts: [] });
  const page = await openPage('/my-subscriptions', { user, copy: {} });
  await page.getByRole('link', { name: 'Try a sample' }).click();
  await page.waitForPath('/sample-client');
  await page.getByText('These accounts are a sample: they don’t exist').waitFor();
  await page.getByText('@sample-bakery').waitFor();
  await page.getByRole('checkbox', { name: 'Select all that match' }).click();
  await page.button('Change plans').click();
  const dialog = page.getByRole('dialog', { name: 'Change plans of the sample' });
  await dialog.getByText('@sample-pottery has no plan.').waitFor();
  await dialog.getByText('@sample-flowers: This plan is paused.').waitFor();
  await dialog.getByText('In this sample nothing is.').waitFor();
  await dialog.getByRole('button', { name: 'Change 9 plans, +$139.02 a month' }).click();
  await page.getByText('9 plans of the sample changed.').waitFor();
  const planOf = (name: string) =>
    document.querySelector(
      `[role="row"]:has(input[aria-label="Select @${name}"]) [data-label="Plan"]`,
    )?.textContent;
  await expect.poll(() => planOf('sample-bakery')).toBe('500');
  await page.getByRole('link', { name: 'Clear the sample' }).click();
  await page.getByRole('heading', { name: 'No accounts yet' }).waitFor();
  expect(page.path).toBe('/my-subscriptions');
  expect([planBulk, startBulk].flatMap((call) => page.server.asked(call))).toEqual([]);
  await page.getByRole('link', { name: 'Try a sample' }).click();
  await page.getByText('@sample-bakery').waitFor();
  expect(page.getByText('9 plans of the sample changed.').count()).toBe(0);
});

test('the sample offers nothing that real accounts have: no saved views, no files to upload, nothing to press in its rows', async () => {
  const page = await openPage('/sample-client?sort=-plan', {
    user: userExample({ connectedAccounts: [] }),
    copy: {},
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
    const page = await openPage('/my-subscriptions', { user, copy: {} });
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
  const dearer = changeSample(bakery, 4, NOW);
  // 26 of 30 days of $17.00 are left after today, its third day.
  expect(dearer).toMatchObject({ kind: 'changed', todayCents: 4800 - 1473, monthCents: 3100 });
  const cheaper = changeSample(bakery, 1, NOW);
  expect(cheaper).toMatchObject({
    after: { accountPackageId: 2, nextPackageId: 1, nextPackageFrom: bakery.nextBillingDate },
    todayCents: 0,
    monthCents: -701,
  });
  if (cheaper.kind !== 'changed') throw new Error('It can be changed.');
  expect(changeSample(cheaper.after, 1, NOW)).toMatchObject({ kind: 'same' });
  expect(changeSample(cheaper.after, 2, NOW)).toMatchObject({
    after: { nextPackageId: null, nextPackageFrom: null },
    todayCents: 0,
    monthCents: 701,
  });
});
