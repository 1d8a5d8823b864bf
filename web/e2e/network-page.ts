import type { Page } from 'playwright-core';

/** Uploads a file through the social network's own page, as its owner would. */
export async function upload(
  page: Page,
  sandboxUrl: string,
  username: string,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await page.goto(`${sandboxUrl}/u/${username}#upload`);
  const chooser = page.getByLabel('Picture or video');
  if (!(await chooser.isVisible())) await page.getByText('Share a picture or video').click();
  await chooser.setInputFiles(file);
  await page.getByLabel('Caption').fill(file.name);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByText(file.name).first().waitFor();
}
