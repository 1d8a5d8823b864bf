import { expect, onTestFinished, test } from 'vitest';
import { openPage } from '#web/testing/dom/open-page.ts';
import { accountExample, userExample } from '#web/testing/examples.ts';

const connectedAccounts = ['ada', 'bob'].map((igUsername, nth) =>
  accountExample({ igUsername, igId: `1784140000000000${nth}` }),
);

/** A phone: the accounts stand in a dropdown, not in a column. */
function narrow(): void {
  const { matchMedia } = globalThis;
  onTestFinished(() => void Object.assign(globalThis, { matchMedia }));
  globalThis.matchMedia = (query) =>
    query.includes('min-width') ? matchMedia('print') : matchMedia(query);
}

test('Enter in the list that was just opened chooses the account that is shown', async () => {
  narrow();
  const page = await openPage('/dashboard', {
    user: userExample({ connectedAccounts }),
    replica: {},
  });
  await page.button('Active account @ada, switch account').click();
  const field = page.getByRole('combobox', { name: 'Find an account' });
  expect(await field.getAttribute('aria-activedescendant')).toBe('account-1');
  await field.press('Enter');
  await field.waitFor({ state: 'gone' });
  await page.button('Active account @ada, switch account').waitFor();
  await page.button('Active account @ada, switch account').click();
  await field.press('ArrowDown');
  await field.press('Enter');
  await page.button('Active account @bob, switch account').waitFor();
});
