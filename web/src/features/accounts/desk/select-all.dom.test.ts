import { expect, test } from 'vitest';
import { openPage } from '#web/testing/dom/open-page.ts';
import { accountExample, userExample } from '#web/testing/examples.ts';

test('the box of the head chooses all that match, and pressed again none', async () => {
  const connectedAccounts = ['ada', 'bea'].map((igUsername) => accountExample({ igUsername }));
  const user = userExample({ connectedAccounts });
  const page = await openPage('/my-subscriptions?q=', { user, replica: {} });
  await page.getByRole('grid', { name: 'Connected accounts' }).waitFor();
  const chosen = () => document.querySelectorAll('[role="row"][aria-selected="true"]').length;
  const press = () =>
    document.querySelector<HTMLElement>('[aria-label="Select all that match"]')?.click();
  press();
  await expect.poll(chosen).toBe(2);
  press();
  await expect.poll(chosen).toBe(0);
});
