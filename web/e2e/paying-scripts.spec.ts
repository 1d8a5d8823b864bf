import type { Page, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { POLICY_REPORTS_PATH } from '#shared/domain/content-policy.ts';
import { PAYING_PAGES } from '#shared/domain/page-paths.ts';
import { fetchAgain } from './bad-answers.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage } from './subscriber.ts';
import { listed, watchScripts } from './watch-scripts.ts';

/** Where cards are entered in our own form; `gateway-cards.spec.ts` looks at the gateway's scripts. */
const shared = shareProduct();

async function openAt(path: string, page: Page) {
  const unlisted = watchScripts(shared, page);
  await page.goto(shared.product.url + path, { waitUntil: 'load' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return unlisted;
}

test('paying pages load no script but those that the build has listed', async () => {
  expect(listed.length).toBeGreaterThan(10);
  const { page } = await signedInPage(shared, 'listed.scripts');
  shared.pages.push(page);
  for (const path of PAYING_PAGES) {
    const unlisted = await openAt(path, await page.context().newPage());
    expect({ path, unlisted: await unlisted() }).toEqual({ path, unlisted: [] });
  }
});

test('a script that was planted is found, one in the page is kept out and reported', async () => {
  const { page } = await signedInPage(shared, 'planted.script');
  shared.pages.push(page);
  await page.route('**/payment/credits', async (route) => {
    const answer = await fetchAgain(route);
    const html = (await answer.text()).replace(
      '</head>',
      '<script src="/skim.js"></script><script>0</script></head>',
    );
    await route.fulfill({ response: answer, body: html });
  });
  const script = { contentType: 'text/javascript', body: '0' };
  await page.route('**/skim.js', (route) => route.fulfill(script));
  await page.route('**/color-scheme.js', (route) => route.fulfill(script));
  const isReport = (response: Response): boolean => response.url().endsWith(POLICY_REPORTS_PATH);
  const reported = page.waitForResponse(isReport);
  const unlisted = await openAt('/payment/credits', page);
  expect((await unlisted()).toSorted()).toEqual(['/color-scheme.js', '/skim.js', 'inline']);
  expect((await reported).status()).toBe(204);
});
