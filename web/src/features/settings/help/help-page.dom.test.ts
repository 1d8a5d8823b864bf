import { expect, test } from 'vitest';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const open = (): Promise<Page> => openPage('/help', { user: OWNER });
const answers = (page: Page): string[] =>
  page
    .getByRole('region', { name: 'Questions and answers' })
    .all()
    .flatMap((region) => [...region.querySelectorAll('details[open] summary')])
    .map((summary) => summary.textContent);

test('help is in the menu, and has prices and a way to ask', async () => {
  const page = await openPage('/my-billing', { user: OWNER });
  await page.getByRole('button', { name: /^Menu/ }).click();
  await page.getByRole('menuitem', { name: 'Help' }).click();
  await page.getByRole('heading', { name: 'Help' }).waitFor();
  const prices = page.getByRole('region', { name: 'Prices' });
  expect(await prices.text()).toMatch(/10,000 \$450\.00 Credits [\s\S]*100,000 \$350\.00/);
  await page.getByRole('region', { name: 'Contact support' }).getByLabel('Message').waitFor();
  await prices.getByRole('button', { name: 'Buy credits' }).click();
  await page.getByRole('dialog').waitFor();
});

test('a search opens what it finds, counts it, and says when there is nothing', async () => {
  const page = await open();
  const search = page.getByLabel('Search help');
  await search.fill('lost device');
  await page.getByText('1 answer').waitFor();
  expect(answers(page)).toEqual(['I lost a device. What should I do?']);
  await search.fill('zebra');
  await page.getByText('Nothing found. Try another word, or ask us below.').waitFor();
  await search.fill('');
  await page.getByText('Do you need my password?').waitFor();
  expect(answers(page)).toEqual([]);
});

test('questions stand in groups, and the list beside them leads to each and to the other parts', async () => {
  const page = await open();
  await page.getByText('Do you need my password?').waitFor();
  const list = page.getByRole('navigation', { name: 'On this page' });
  const [root] = list.all();
  const links = [...(root?.querySelectorAll('a') ?? [])];
  expect(links.map(({ textContent }) => textContent)).toEqual([
    'Questions and answers',
    'Likes',
    'Plans and payments',
    'Instagram accounts',
    'This app',
    'Prices',
    'Keyboard shortcuts',
    'Contact support',
  ]);
  for (const link of links) {
    const heading = document.getElementById(link.hash.slice(1));
    expect(heading?.textContent).toBe(link.textContent);
  }
});
