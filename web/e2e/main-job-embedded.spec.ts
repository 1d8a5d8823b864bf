import { expect, test } from 'vitest';
import { patiently } from '#test/patience.ts';
import { upload } from './network-page.ts';
import { makeJpeg } from './real-files.ts';
import { shareProduct } from './share-product.ts';
import { subscribedPage } from './subscriber.ts';

const shared = shareProduct();
const NAME = 'one.process';

/** The whole job is seen on Postgres; here it is one process that detects, orders and follows. */
test('one process on the embedded database: an uploaded picture stands on the dashboard within 30 s and gets its likes', async () => {
  const { page } = await subscribedPage(shared, NAME);
  shared.pages.push(page);
  await page.goto(`${shared.product.url}/dashboard`);
  await expect.poll(() => page.locator('[data-post]').count()).toBe(2);
  const network = await page.context().newPage();
  await upload(network, shared.product.sandboxUrl, NAME, {
    name: 'first.jpg',
    mimeType: 'image/jpeg',
    buffer: await makeJpeg(1),
  });
  const [newest] = await shared.sandbox.listPosts(NAME);
  const card = page.locator(`[data-post="${newest?.id}"]`);
  await card.waitFor({ timeout: patiently(30_000) });
  await card.getByText('Completed').waitFor({ timeout: patiently(90_000) });
  const book = await shared.sandbox.readPost(newest?.id ?? '');
  expect(book.memberLikes).toBeGreaterThanOrEqual(50);
  expect(book.distinctMembers).toBe(book.memberLikes);
});
