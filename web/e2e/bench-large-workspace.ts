import type { Page } from 'playwright-core';
import { openPostgres } from '#server/kit/db/postgres.ts';
import { launchBrowser } from './browser.ts';
import { Figures } from './figures.ts';
import { countHeldPosts } from './held-posts.ts';
import { useLargeWorkspace } from './large-workspace.ts';
import { noteWhenShown, shownAfter } from './shown-after.ts';
import { heapAfterCollection, watchMemory } from './tab-memory.ts';

/**
 * `npm run bench:large [accounts] [posts] [repetitions]`: one workspace of 5,000 accounts and 200,000
 * posts on real Postgres. Each repetition logs in on a browser that has nothing of it, waits for the
 * end of the first sync, scrolls and switches to posts that only the server has, and watches the
 * memory of the tab all the time. Ends with 1 where a figure is over its bound; with fewer repetitions than
 * usual nothing is judged.
 */
const accounts = Number(process.argv[2] ?? 5000);
const posts = Number(process.argv[3] ?? 200_000);
const USUAL = 3;
const repetitions = Number(process.argv[4] ?? USUAL);
const isJudged = repetitions >= USUAL;
const FIRST_SCREEN = { unit: 'ms', limit: 1000 };
const FOOTPRINT = { unit: 'MB', limit: 300 };
const NAME = 'bench.large';
const PATIENT = { timeout: 180_000 };

const { product, customer, counts } = await useLargeWorkspace(NAME, {
  accounts: accounts - 1,
  posts,
  // A post of each account every nine days.
  minutesApart: (9 * 24 * 60) / accounts,
  postsPerOrder: 20,
});
const database = openPostgres(product.databaseUrl, { onError: () => undefined });
const figures = new Figures(isJudged);
try {
  const { account, post, like_order: orders } = counts;
  process.stdout.write(`${account} accounts, ${post} posts, ${orders} orders\n`);
  // As in production, the server's code has run before.
  for (let nr = 0; nr < (isJudged ? 3 : 1); nr += 1) await logInOutside();
  for (let nr = 1; nr <= repetitions; nr += 1) {
    process.stdout.write(`run ${nr} of ${repetitions}\n`);
    await measure();
  }
} finally {
  await database.close();
  await product.stop();
}
process.exitCode = figures.end();

async function logInOutside(): Promise<void> {
  const { email, password } = customer;
  const answer = await fetch(`${product.url}/user/user/login`, {
    method: 'POST',
    headers: { origin: product.url },
    body: new URLSearchParams({ email, password }),
  });
  const { status } = (await answer.json()) as { status: string };
  if (status !== 'success') throw new Error('The log-in was refused');
}

/** One browser of its own, so that its tab's process has held nothing before. */
async function measure(): Promise<void> {
  const browser = await launchBrowser();
  const memory = await watchMemory(browser);
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${product.url}/login`);
    await page.getByLabel('Email', { exact: true }).fill(customer.email);
    await page.getByLabel('Password', { exact: true }).fill(customer.password);
    const before = await memory.read();
    figures.tell('tab before the log-in, footprint', before.footprint, { unit: 'MB' });
    await noteFirstPost(page);
    const began = performance.now();
    await page.getByRole('button', { name: 'Log in' }).click();
    figures.tell('log-in to the first posts on the screen', await firstPost(page), FIRST_SCREEN);
    await page.locator('header [data-kind="live"]').waitFor(PATIENT);
    figures.tell('log-in to the end of the first sync', performance.now() - began, { unit: 'ms' });
    figures.tell('posts held', await countHeldPosts(page));
    await fetchOldPosts(page);
    await switchToAccount(page, Math.floor(accounts * 0.8));
    await seeChange(page);
    const peak = memory.peak();
    figures.tell('tab at its most, footprint', peak.footprint, FOOTPRINT);
    figures.tell('tab at its most, resident with shared code', peak.resident, { unit: 'MB' });
    figures.tell('JavaScript heap of the page', await heapAfterCollection(page), { unit: 'MB' });
    figures.tell('tab at the end, footprint', (await memory.read()).footprint, FOOTPRINT);
    await startAgain(page);
  } finally {
    await memory.stop();
    await browser.close();
  }
}

interface Recorded {
  submittedAtMs: number;
  shownAtMs?: number;
}

/** The page notes itself when the form is sent and when the first post has been painted. */
async function noteFirstPost(page: Page): Promise<void> {
  await page.evaluate(() => {
    const recorded: Recorded = { submittedAtMs: 0 };
    Object.assign(globalThis, { recorded });
    const look = (): void => {
      const card = document.querySelector('[data-post]');
      if (!card?.checkVisibility()) return void requestAnimationFrame(look);
      requestAnimationFrame(() => setTimeout(() => (recorded.shownAtMs = performance.now()), 0));
    };
    document.addEventListener(
      'submit',
      () => {
        recorded.submittedAtMs = performance.now();
        look();
      },
      { capture: true, once: true },
    );
  });
}

async function firstPost(page: Page): Promise<number> {
  const handle = await page.waitForFunction(
    () => {
      const { submittedAtMs, shownAtMs } = (globalThis as unknown as { recorded: Recorded })
        .recorded;
      return shownAtMs === undefined ? undefined : shownAtMs - submittedAtMs;
    },
    undefined,
    { ...PATIENT, polling: 100 },
  );
  return Number(await handle.jsonValue());
}

/** Scrolls to the end of the account's posts; those behind the first 128 only the server has. */
async function fetchOldPosts(page: Page): Promise<void> {
  const title = await page
    .getByText(/^Posts by @/)
    .first()
    .innerText();
  const { n: all } = await database.db
    .selectFrom('post')
    .innerJoin('account', 'account.id', 'post.account_id')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    // The account that was shown last is shown again: the one the run before chose.
    .where('account.ig_username', '=', title.slice('Posts by @'.length))
    .executeTakeFirstOrThrow();
  const began = performance.now();
  await page.locator('[data-post] a').first().focus();
  // The page says `The newest` of what is planted: it has no history that was read to its end.
  const count = page.getByText(new RegExp(`^(The newest )?${all.toLocaleString('en-US')} posts$`));
  for (let tries = 0; tries < 200 && (await count.count()) === 0; tries += 1) {
    await page.keyboard.press('Control+End');
    await page.waitForTimeout(50);
  }
  await count.waitFor(PATIENT);
  figures.tell(`scrolling to the last of ${all} posts of one account`, performance.now() - began, {
    unit: 'ms',
  });
}

async function switchToAccount(page: Page, nth: number): Promise<void> {
  const name = `planted.account.${String(nth).padStart(4, '0')}`;
  const finder = page.getByRole('combobox', { name: 'Find an account' });
  await page.keyboard.press('Control+Home');
  await finder.fill(name);
  await page.getByRole('option', { name }).waitFor();
  const began = performance.now();
  await finder.press('Enter');
  await page.getByText(`Posts by @${name}`).waitFor({ state: 'attached' });
  await page.locator('[data-post]').first().waitFor(PATIENT);
  figures.tell('choosing another account to its first post', performance.now() - began, {
    unit: 'ms',
  });
}

/** A like that is counted on the server, seen on the screen while thousands of accounts are held. */
async function seeChange(page: Page): Promise<void> {
  const id = (await page.locator('[data-post]').first().getAttribute('data-post')) ?? '';
  const began = performance.now();
  await database.transaction((tx) =>
    tx.updateTable('post').set({ like_count: 7_654_321 }).where('id', '=', id).execute(),
  );
  await page.getByText('7,654,321').first().waitFor(PATIENT);
  figures.tell('a changed post to the screen', performance.now() - began, { unit: 'ms' });
}

/** The next start, from the replica. */
async function startAgain(page: Page): Promise<void> {
  await noteWhenShown(page.context(), [{ path: '/dashboard', selector: '[data-post]', text: '' }]);
  const ms = await shownAfter(page, `${product.url}/dashboard`);
  figures.tell('the next start to the first posts, from the replica', ms, FIRST_SCREEN);
}
