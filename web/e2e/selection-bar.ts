import type { Page } from 'playwright-core';

/** Presses what is done with the chosen accounts; on a phone it stands in a menu. */
export async function pressForSelection(page: Page, name: string): Promise<void> {
  const bar = page.getByRole('group', { name: 'Selected accounts' });
  await bar.waitFor();
  const menu = bar.getByRole('button', { name: 'Change', exact: true });
  if (await menu.isVisible()) await menu.click();
  await bar.getByRole('button', { name }).click();
}
