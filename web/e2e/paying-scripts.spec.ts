import type { Page, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { addAccount } from '#shared/contract/account-changes.ts';
import { POLICY_REPORTS_PATH } from '#shared/domain/content-policy.ts';
import { PAYING_PAGES } from '#shared/domain/page-paths.ts';
import { fetchAgain } from './bad-answers.ts';
import { shareProduct } from './share-product.ts';
import { signedInPage, subscribedPage } from './subscriber.ts';
import { listed, watchScripts } from './watch-scripts.ts';

/** Where cards are entered in our own form; `gateway-cards.spec.ts` looks at the gateway's scripts. */
const shared = shareProduct();
/** What some pages need in their address to be shown. */
const QUERIES: Partial<Record<(typeof PAYING_PAGES)[number], string>> = {
  '/other-account-subscription': '?packageValue=2&defaultIgUsername=listed.second',
  '/payment-return': '?payment=none',
};

async function openAt(path: string, page: Page) {
  const unlisted = watchScripts(shared, page);
  await page.goto(shared.product.url + path, { waitUntil: 'load' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return unlisted;
}

test('no paying page loads a script but those that the build has listed', async () => {
  expect(listed.length).toBeGreaterThan(10);
  const { page, userId } = await subscribedPage(shared, 'listed.scripts');
  shared.pages.push(page);
  // A second account without a plan, whose checkout can be opened.
  await shared.sandbox.createAccount({ username: 'listed.second', posts: 1 });
  await page.request.post(`${shared.product.url}${addAccount.path}`, {
    data: { userId, igUsername: 'listed.second' },
  });
  for (const path of PAYING_PAGES) {
    const opened = await page.context().newPage();
    const unlisted = await openAt(path + (QUERIES[path] ?? ''), opened);
    const { pathname } = new URL(opened.url());
    expect({ pathname, unlisted: await unlisted() }).toEqual({ pathname: path, unlisted: [] });
    await opened.close();
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
