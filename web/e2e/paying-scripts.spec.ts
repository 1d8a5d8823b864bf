import type { Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { PAYMENT_RETURN } from '#shared/domain/page-paths.ts';
import { POLICY_REPORTS_PATH } from '#shared/domain/words/content-policy.ts';
import { fetchAgain } from './bad-answers.ts';
import { shareProduct } from './share-product.ts';
import { watchScripts } from './watch-scripts.ts';

/** `gateway-cards.spec.ts` looks at every page on which somebody pays. */
const shared = shareProduct();
test('a script that was planted is found, one in the page is kept out and reported', async () => {
  const page = await (await shared.browser.newContext()).newPage();
  shared.pages.push(page);
  await page.route(`**${PAYMENT_RETURN}?*`, async (route) => {
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
  const unlisted = watchScripts(shared, page);
  await page.goto(`${shared.product.url}${PAYMENT_RETURN}?payment=none`, { waitUntil: 'load' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect((await unlisted()).toSorted()).toEqual(['/color-scheme.js', '/skim.js', 'inline']);
  expect((await reported).status()).toBe(204);
});
