import { expect, test } from 'vitest';
import { OWNER } from '#web/testing/dom/customer-forms.ts';
import { postRow } from '#web/testing/dom/replica.ts';
import { openPage, type Page } from '#web/testing/dom/open-page.ts';

const replica = { post: [postRow({ id: '1', caption: 'A morning at the harbour' })] };
const open = (path: string): Promise<Page> => openPage(path, { user: OWNER, replica });
/** Presses keys where the focus is, one after the other. */
function press(...keys: Array<string | KeyboardEventInit>): void {
  for (const one of keys) {
    const init = typeof one === 'string' ? { key: one } : one;
    const at = document.activeElement ?? document.body;
    at.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true }));
  }
}
const find = (page: Page) => page.getByLabel('Find a command');
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

test('Ctrl+K finds a post by its caption and opens its receipt', async () => {
  const page = await open('/my-billing');
  await page.getByRole('heading', { name: 'Billing' }).waitFor();
  // The page listens a moment after it is drawn.
  const opened = (): number => {
    press({ key: 'k', ctrlKey: true });
    return find(page).count();
  };
  await expect.poll(opened).toBe(1);
  await find(page).fill('harbour');
  await page.getByRole('button', { name: /A morning at the harbour/ }).click();
  await page.waitForPath('/dashboard?post=1');
});

test('the header and the menu open the palette, and an action says its key', async () => {
  const page = await open('/my-billing');
  await page.getByRole('button', { name: 'Find anything' }).click();
  await find(page).fill('pause');
  const line = page.getByRole('button', { name: /^Change plan, pause or cancel/ });
  expect((await line.one()).textContent).toMatch(/P$/);
  await line.click();
  await dialog(page, 'Manage subscription').waitFor();

  const again = await open('/my-billing');
  await again.getByRole('button', { name: /^Menu/ }).click();
  await again.getByRole('menuitem', { name: 'Find anything' }).click();
  await find(again).waitFor();
});

test('somebody in a team finds its pages, and who works alone doesn’t', async () => {
  const workspaceId = '0192d3c0-0000-7000-8000-00000000e001';
  const membership = { workspaceId, role: 'Owner' as const, people: 2, workspaces: [] };
  const page = await openPage('/my-billing', { user: { ...OWNER, membership }, replica });
  await page.button('Find anything').click();
  await find(page).fill('activity');
  await page.getByRole('dialog').getByRole('button', { name: 'Activity' }).click();
  await page.waitForPath('/my-activity');

  const alone = await open('/my-billing');
  await alone.button('Find anything').click();
  await find(alone).fill('a');
  await alone.getByRole('dialog').getByRole('button', { name: 'Alerts' }).waitFor();
  expect(alone.getByRole('dialog').getByRole('button', { name: 'Activity' }).count()).toBe(0);
});

test('a key does what the list behind “?” says, and Esc closes the list', async () => {
  const page = await open('/my-billing');
  await page.getByRole('heading', { name: 'Billing' }).waitFor();
  press('?');
  const list = dialog(page, 'Keyboard shortcuts');
  expect(await list.text()).toMatch(/Add account\s*N/);
  press('n');
  expect(dialog(page, 'Add new Instagram account').count()).toBe(0);
  press('Escape');
  await list.waitFor({ state: 'gone' });
  press('n');
  await dialog(page, 'Add new Instagram account').waitFor();
});

test('two keys go to a page, and Esc goes back to where one came from', async () => {
  const page = await open('/my-billing');
  await page.getByRole('heading', { name: 'Billing' }).waitFor();
  press('g', 'h');
  await page.waitForPath('/help');
  const list = page.getByRole('region', { name: 'Keyboard shortcuts' });
  expect(await list.text()).toContain('Show all shortcuts');
  press('Escape');
  await page.waitForPath('/my-billing');
});

test('a slash goes to the search field, where keys are letters', async () => {
  const page = await open('/dashboard');
  const search = page.getByLabel('Search captions');
  await search.waitFor();
  press('/');
  expect(await search.isFocused()).toBe(true);
  press('g', 'h', 'n', '?');
  expect(page.path).toBe('/dashboard');
  expect(page.getByRole('dialog').count()).toBe(0);
});

test('with a receipt open E sends extra likes for its post, and Esc closes it', async () => {
  const page = await open('/dashboard?post=1');
  await page.getByRole('button', { name: 'Extra likes', exact: true }).waitFor();
  press('e');
  expect(await dialog(page, 'Send extra likes').text()).toContain('A morning at the harbour');
  press('Escape');
  await dialog(page, 'Send extra likes').waitFor({ state: 'gone' });
  expect(page.path).toBe('/dashboard?post=1');
  press('Escape');
  await page.waitForPath('/dashboard');
});
