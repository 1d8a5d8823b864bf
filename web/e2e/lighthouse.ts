import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type Browser, chromium } from 'playwright-core';
import * as v from 'valibot';
import { freePort } from '#test/processes/free-port.ts';
import { launchBrowser } from './browser.ts';
import { startEmbedded } from './product.ts';
import { sandboxControl } from './sandbox-control.ts';
import { subscribedPage } from './subscriber.ts';

/**
 * `npm run lighthouse`: the production build in the tests' own browser, mobile profile. Ends with 1
 * where a score is below its aim. Not a part of `npm test`: scores need a machine with nothing else
 * to do. Lighthouse itself comes from the registry then.
 */
const LANDING = { performance: 95, accessibility: 95, 'best-practices': 95, seo: 95 };
const DASHBOARD = { performance: 90 };
/** Scores vary from run to run; the middle one of these counts. */
const RUNS = 3;

const LIGHTHOUSE = 'lighthouse@13.5.0';
const run = promisify(execFile);
/** What is read of its report. */
const REPORT = v.object({
  finalDisplayedUrl: v.string(),
  categories: v.record(
    v.string(),
    v.object({
      id: v.string(),
      score: v.nullable(v.number()),
      auditRefs: v.array(v.object({ id: v.string(), weight: v.number() })),
    }),
  ),
  audits: v.record(
    v.string(),
    v.object({
      title: v.string(),
      score: v.nullable(v.number()),
      displayValue: v.optional(v.string()),
    }),
  ),
});

type Aims = Partial<Record<keyof typeof LANDING, number>>;

const port = await freePort();
const product = await startEmbedded();
const browser = await launchBrowser({ arguments: [`--remote-debugging-port=${port}`] });
try {
  const isLandingFine = await isAsGoodAs('landing', `${product.url}/`, LANDING);
  await signIn();
  const isDashboardFine = await isAsGoodAs('dashboard', `${product.url}/dashboard`, DASHBOARD);
  process.exitCode = isLandingFine && isDashboardFine ? 0 : 1;
} finally {
  await browser.close();
  await product.stop();
}

/** Lighthouse opens its pages in the browser's own context, so that is the one to sign in. */
async function signIn(): Promise<void> {
  const connected = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  const [context] = connected.contexts();
  if (!context) throw new Error('The browser has no context of its own.');
  const own = { newContext: async () => context } as unknown as Browser;
  const sandbox = sandboxControl(product.sandboxUrl);
  const { page } = await subscribedPage({ browser: own, product, sandbox }, 'light.house');
  await page.goto(`${product.url}/dashboard`);
  await page.getByRole('main').waitFor();
  await page.close();
}

async function isAsGoodAs(name: string, url: string, aims: Aims): Promise<boolean> {
  const runs: Array<Record<string, number>> = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await scoresOf(url, Object.keys(aims)));
  const results = Object.entries(aims).map(([category, aim]) => {
    const scores = runs.map((one) => one[category] ?? 0).sort((a, b) => a - b);
    const middle = scores[Math.floor(RUNS / 2)] ?? 0;
    process.stdout.write(`${name} ${category}: ${middle} of ${scores.join(', ')}; aim ${aim}\n`);
    return middle >= aim;
  });
  return results.every(Boolean);
}

/** Each category's score, 0 to 100; the audits that took points are told. */
async function scoresOf(url: string, categories: string[]): Promise<Record<string, number>> {
  // No dependency of the product: it would be a quarter of all that `npm ci` unpacks.
  const { stdout } = await run(
    'npm',
    [
      'exec',
      '--yes',
      '--',
      LIGHTHOUSE,
      url,
      `--port=${port}`,
      '--disable-storage-reset',
      '--output=json',
      '--quiet',
      `--only-categories=${categories.join(',')}`,
    ],
    { maxBuffer: Infinity },
  );
  const { finalDisplayedUrl, ...found } = v.parse(REPORT, JSON.parse(stdout));
  const reached = new URL(finalDisplayedUrl).pathname;
  if (reached !== new URL(url).pathname) throw new Error(`${url} led to ${reached}.`);
  for (const { auditRefs } of Object.values(found.categories)) {
    for (const { id, weight } of auditRefs) {
      const audit = found.audits[id];
      const isLost = weight > 0 && (audit?.score ?? 1) < 0.9;
      if (isLost) process.stdout.write(`  ${id}: ${audit?.displayValue ?? audit?.title}\n`);
    }
  }
  return Object.fromEntries(
    Object.values(found.categories).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)]),
  );
}
