import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { POLICY_REPORTS_PATH } from '#shared/domain/content-policy.ts';
import { integrityOf, type ListedScript, SCRIPT_LIST } from '../script-list-plugin.ts';
import { numberField } from './bank-customer.ts';
import { startEmbedded } from './product.ts';
import { ownProduct, shareProduct } from './share-product.ts';
import { type Journeys, signedInPage } from './subscriber.ts';

const form = shareProduct();
const gateway = ownProduct((from) =>
  startEmbedded(from, 'off', { settings: { CARD_ENTRY: 'gateway' } }),
);
const PAYING_PAGES = ['/subscription', '/payment/credits', '/my-billing'];

const listed = JSON.parse(
  readFileSync(join(import.meta.dirname, '../dist', SCRIPT_LIST), 'utf8'),
) as ListedScript[];

/** Every script a page asks for from here on, workers' too, and every one that stands in it. */
function watchScripts({ product }: Journeys, page: Page): () => Promise<string[]> {
  const loaded: Array<Promise<{ path: string; integrity: string }>> = [];
  const note = async (response: Response) => {
    const { origin, pathname, href } = new URL(response.url());
    const path = origin === new URL(product.url).origin ? pathname : href;
    return { path, integrity: integrityOf(await response.body()) };
  };
  const hear = (response: Response): void => {
    const type = response.headers()['content-type'] ?? '';
    if (type.includes('javascript') && response.status() === 200) loaded.push(note(response));
  };
  page.on('response', hear);
  return async () => {
    // What comes while the page is closed has no bytes to look at.
    page.off('response', hear);
    expect(loaded.length).toBeGreaterThan(3);
    const known = new Set(listed.map(({ path, integrity }) => `${path} ${integrity}`));
    const asked = (await Promise.all(loaded)).filter(
      ({ path, integrity }) => !known.has(`${path} ${integrity}`),
    );
    const inline = await page.locator('script:not([src])').count();
    return [...asked.map(({ path }) => path), ...Array.from({ length: inline }, () => 'inline')];
  };
}

async function openAt(
  path: string,
  name: string,
  { shared = form, plant }: { shared?: typeof form; plant?: (page: Page) => Promise<void> } = {},
) {
  const { page } = await signedInPage(shared, name);
  shared.pages.push(page);
  await plant?.(page);
  const unlisted = watchScripts(shared, page);
  await page.goto(shared.product.url + path, { waitUntil: 'load' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return { page, unlisted };
}

test.each(PAYING_PAGES)('%s loads no script but those that the build has listed', async (path) => {
  expect(listed.length).toBeGreaterThan(10);
  const { unlisted } = await openAt(path, `listed${PAYING_PAGES.indexOf(path)}`);
  expect(await unlisted()).toEqual([]);
});

test('with the gateway’s fields its own script and its frames’ come beside those, and nothing else', async () => {
  const { page, unlisted } = await openAt('/subscription', 'listed.fields', { shared: gateway });
  await numberField(page).waitFor();
  const { origin } = new URL(gateway.product.sandboxUrl);
  const foreign = await unlisted();
  expect(foreign).toContain(`${origin}/stripe/v3/stripe.js`);
  expect(foreign.filter((script) => !script.startsWith(`${origin}/stripe/v3/`))).toEqual([]);
});

test('a script that was planted is found, one in the page is kept out and reported', async () => {
  const reports: Array<Promise<Response>> = [];
  const plant = async (page: Page): Promise<void> => {
    await page.route('**/payment/credits', async (route) => {
      const answer = await route.fetch();
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
    reports.push(page.waitForResponse(isReport));
  };
  const { unlisted } = await openAt('/payment/credits', 'planted', { plant });
  expect((await unlisted()).toSorted()).toEqual(['/color-scheme.js', '/skim.js', 'inline']);
  const [report] = await Promise.all(reports);
  expect(report?.status()).toBe(204);
});
