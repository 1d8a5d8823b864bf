import type { Locator } from 'playwright-core';

/** Orders extra likes for a post while the server is away, until the dialog has closed. */
export async function queueLikes(card: Locator, likes: number): Promise<void> {
  await card.getByRole('button', { name: /Extra likes/ }).click();
  const dialog = card.page().getByRole('dialog', { name: 'Send extra likes' });
  await dialog.getByText('Your order waits on this device').waitFor();
  await dialog.getByRole('textbox', { name: 'Likes' }).fill(String(likes));
  await dialog.getByRole('button', { name: 'Send likes' }).click();
  await dialog.waitFor({ state: 'hidden' });
}
