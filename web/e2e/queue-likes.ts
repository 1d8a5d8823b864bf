import type { Locator } from 'playwright-core';

/** Orders extra likes for a post while the server is away, until the dialog has closed. */
export async function queueLikes(card: Locator, likes: number): Promise<void> {
  const dialog = await openDialog(card);
  await dialog.getByText('Your order waits on this device').waitFor();
  await dialog.getByRole('textbox', { name: 'Likes' }).fill(String(likes));
  await dialog.getByRole('button', { name: 'Send likes' }).click();
  await dialog.waitFor({ state: 'hidden' });
}

/** Opens the dialog once while the server is there: its files come then, and no worker keeps the app here. */
export async function loadLikesDialog(card: Locator): Promise<void> {
  const dialog = await openDialog(card);
  await dialog.getByRole('textbox', { name: 'Likes' }).waitFor();
  await card.page().keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
}

async function openDialog(card: Locator): Promise<Locator> {
  await card.getByRole('button', { name: /Extra likes/ }).click();
  return card.page().getByRole('dialog', { name: 'Send extra likes' });
}
