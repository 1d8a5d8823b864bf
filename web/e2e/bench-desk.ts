import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { Figures, median } from './figures.ts';
import { type LargeWorkspace, useLargeWorkspace } from './large-workspace.ts';
import { noteWhenShown, shownAfter } from './shown-after.ts';
import { loggedInPage } from './subscriber.ts';
import { BEGIN, END, threadTime } from './thread-time.ts';

/**
 * `npm run bench:desk [accounts] [posts] [repetitions]`: the table of accounts in a real browser, from a replica of a
 * workspace on Postgres, and again with 100,000 accounts. What is judged is what the tab’s threads computed (see
 * `thread-time.ts`), beside the least that work of its kind takes in the same tab. Ends with 1 where a figure is over
 * its bound. With fewer repetitions than usual nothing is judged, and the 100,000 are left out.
 */
const accounts = Number(process.argv[2] ?? 5000);
const posts = Number(process.argv[3] ?? 200_000);
const USUAL = 5;
const repetitions = Number(process.argv[4] ?? USUAL);
const isJudged = repetitions >= USUAL;
const MANY = 100_000;
const NAME = 'bench.desk';
const PATH = '/my-subscriptions';
const OPEN_MS = 1000;
const TASK_MS = 50;
const FILE_MS = 10_000;
/** What somebody takes for a page that hangs. */
const FROZEN_MS = 200;
const STEPS = isJudged ? 60 : 6;
const PATIENT = { timeout: 300_000 };

const figures = new Figures(isJudged);
const sizes: readonly Size[] = [
  { rows: accounts, arrangeMs: 100, openMs: OPEN_MS },
  { rows: MANY, arrangeMs: 300, openMs: Infinity },
];
for (const size of isJudged ? sizes : sizes.slice(0, 1)) {
  const workspace = await useLargeWorkspace(NAME, {
    accounts: size.rows - 1,
    posts,
    minutesApart: (9 * 24 * 60) / size.rows,
    postsPerOrder: 20,
  });
  try {
    await measure(workspace, size);
  } finally {
    await workspace.product.stop();
  }
}
process.exitCode = figures.end();

interface Size {
  rows: number;
  /** Within how long a filter or an order stands. */
  arrangeMs: number;
  openMs: number;
}

/** One browser of its own for each size. */
async function measure({ product, customer }: LargeWorkspace, size: Size): Promise<void> {
  process.stdout.write(`${size.rows.toLocaleString('en-US')} accounts\n`);
  const browser = await launchBrowser();
  try {
    const desk = { width: 1440, height: 900, inSubscription: true };
    const page = await loggedInPage({ browser, product }, customer, desk);
    await page.goto(`${product.url}/my-settings`);
    await page.locator('header [data-kind="live"]').waitFor(PATIENT);
    await measureOpening(browser, page, product.url, size);
    const shown = Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 2;
    if (shown !== size.rows) throw new Error(`The table has ${shown} rows, not ${size.rows}`);
    await measureArranging(browser, page, size);
    await measureScrolling(browser, page);
    if (size.rows === MANY) await measureFile(browser, page);
  } finally {
    await browser.close();
  }
}

/** Beside the page of settings, which holds next to nothing. */
async function measureOpening(
  browser: Browser,
  page: Page,
  url: string,
  { openMs }: Size,
): Promise<void> {
  await noteWhenShown(page.context(), [
    { path: PATH, selector: '[role="grid"] [data-row]', text: '@' },
    { path: '/my-settings', selector: 'h1', text: '' },
  ]);
  const opened = async (path: string) => {
    const walls: number[] = [];
    const computed: number[] = [];
    for (let nr = 0; nr < repetitions; nr += 1) {
      const { computedMs } = await threadTime(browser, page, async () => {
        walls.push(await shownAfter(page, url + path));
        await page.evaluate((mark) => void performance.mark(mark), END);
      });
      computed.push(computedMs);
    }
    return { wall: median(walls), computed: median(computed) };
  };
  // The table last: it stays open for what follows.
  const [floor, desk] = [await opened('/my-settings'), await opened(PATH)];
  const more = `${(desk.computed / floor.computed).toFixed(1)} times the settings, by the clock ${Math.round(desk.wall)} ms`;
  const opening = { unit: 'ms', limit: openMs, more };
  figures.tell('opening to the first rows, computed', desk.computed, opening);
  await page.locator('header [data-kind="live"]').waitFor(PATIENT);
}

/** From a press to the rows that are asked for, beside those rows drawn anew by nobody's asking. */
async function measureArranging(browser: Browser, page: Page, { arrangeMs }: Size): Promise<void> {
  const head = (name: string) => page.getByRole('columnheader', { name }).getByRole('button');
  const search = page.getByRole('searchbox', { name: 'Search accounts' });
  const requests: ReadonlyArray<[what: string, ask: () => Promise<void>]> = [
    ['order by posts of the month', () => head('Posts this month').click()],
    ['order by name', () => head('Account').click()],
    ['search for two words', () => search.fill('account 77')],
    ['search for nothing again', () => search.fill('')],
  ];
  const times = new Map(requests.map(([what]) => [what, { computed: [0], clock: [0] }]));
  const floors: number[] = [];
  for (let nr = 0; nr < repetitions; nr += 1) {
    floors.push((await threadTime(browser, page, () => redraw(page))).computedMs);
    for (const [what, ask] of requests) {
      const { computedMs } = await threadTime(browser, page, async () => {
        times.get(what)?.clock.push(await rowsAfter(page, ask));
      });
      times.get(what)?.computed.push(computedMs);
    }
  }
  const floor = median(floors);
  for (const [what, { computed, clock }] of times) {
    const [ms, clockMs] = [median(computed.slice(1)), median(clock.slice(1))];
    const more = `${(ms / floor).toFixed(1)} times drawing the rows, by the clock ${Math.round(clockMs)} ms`;
    figures.tell(`${what}, computed`, ms, { unit: 'ms', limit: arrangeMs, more });
  }
}

/** Does what changes the rows; how long it took until others were painted, milliseconds by the clock. */
async function rowsAfter(page: Page, ask: () => Promise<void>): Promise<number> {
  await page.evaluate(
    ([begin, end]) => {
      const drawn = (): string =>
        [...document.querySelectorAll('[data-row] [data-column="1"]')]
          .slice(0, 20)
          .map(({ textContent }) => textContent)
          .join();
      const before = drawn();
      const look = (): void => {
        if (drawn() === before) return void requestAnimationFrame(look);
        requestAnimationFrame(() => setTimeout(() => performance.mark(end), 0));
      };
      const start = (): void => {
        performance.clearMarks();
        performance.mark(begin);
        look();
      };
      // By click or by typing.
      const signal = new AbortController();
      for (const kind of ['click', 'input']) {
        document.addEventListener(
          kind,
          () => {
            signal.abort();
            start();
          },
          { capture: true, signal: signal.signal },
        );
      }
    },
    [BEGIN, END] as const,
  );
  await ask();
  const handle = await page.waitForFunction(
    ([begin, end]) => {
      const [from] = performance.getEntriesByName(begin);
      const [to] = performance.getEntriesByName(end);
      return from && to && to.startTime - from.startTime;
    },
    [BEGIN, END] as const,
    { ...PATIENT, polling: 100 },
  );
  return Number(await handle.jsonValue());
}

/** The rows that are drawn, taken out and put in again by the browser alone. */
async function redraw(page: Page): Promise<void> {
  await page.evaluate(
    async ([begin, end]) => {
      const body = document.querySelector('[role="grid"] [data-row]')?.parentElement;
      if (!body) throw new Error('There is no grid');
      performance.mark(begin);
      const copy = body.cloneNode(true) as Element;
      body.replaceWith(copy);
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
      performance.mark(end);
      copy.replaceWith(body);
    },
    [BEGIN, END] as const,
  );
}

/** By wheel, slowly and fast, and by jumps, beside the browser’s own drawing of as many rows. */
async function measureScrolling(browser: Browser, page: Page): Promise<void> {
  const box = await page.getByRole('grid').boundingBox();
  if (!box) throw new Error('There is no grid');
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  const wheel = async (stepPx: number): Promise<void> => {
    for (let step = 0; step < STEPS; step += 1) {
      await page.mouse.wheel(0, stepPx);
      await frame(page);
    }
  };
  const jump = async (): Promise<void> => {
    for (let step = 1; step <= STEPS; step += 1) {
      await page.evaluate((share) => {
        const grid = document.querySelector('[role="grid"]');
        if (grid) grid.scrollTop = grid.scrollHeight * share;
      }, step / STEPS);
      await frame(page);
    }
  };
  const keys = async (): Promise<void> => {
    await page.getByRole('grid').focus();
    for (let step = 0; step < STEPS; step += 1) {
      await page.keyboard.press('PageUp');
      await frame(page);
    }
  };
  const longest = async (work: () => Promise<void>): Promise<number> => {
    const all: number[] = [];
    for (let nr = 0; nr < repetitions; nr += 1) {
      all.push((await threadTime(browser, page, work)).longestMs);
    }
    return Math.max(...all);
  };
  const floor = await longest(() => redraw(page));
  const ways: ReadonlyArray<[what: string, work: () => Promise<void>]> = [
    ['by the wheel', () => wheel(120)],
    ['by the wheel, fast', () => wheel(2400)],
    ['by jumps', jump],
    ['by keys', keys],
  ];
  for (const [what, work] of ways) {
    const ms = await longest(work);
    const more = `${(ms / floor).toFixed(1)} times drawing the rows`;
    figures.tell(`longest task scrolling ${what}`, ms, { unit: 'ms', limit: TASK_MS, more });
  }
}

async function frame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
}

/** A file with a line for each account, one of them unknown. */
async function measureFile(browser: Browser, page: Page): Promise<void> {
  const lines = Array.from({ length: MANY }, (_, nth) => {
    const name = `planted.account.${String(nth + 1).padStart(4, '0')}`;
    return `${name},${nth % 50 === 0 ? 500 : 100}`;
  });
  // From the disk, as people choose it: bytes that the test hands over are decoded by the page, which takes it 200 ms.
  const directory = await mkdtemp(join(tmpdir(), 'ovation-desk-'));
  const file = join(directory, 'accounts.csv');
  await writeFile(file, ['Account,Plan', ...lines].join('\r\n'));
  await page.getByRole('button', { name: 'Upload CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Upload a CSV' });
  await dialog.waitFor(PATIENT);
  const { computedMs, longestMs } = await threadTime(browser, page, async () => {
    await dialog.getByLabel('CSV file').setInputFiles(file);
    await dialog.getByText(`${MANY.toLocaleString('en-US')} rows:`).waitFor(PATIENT);
  });
  await rm(directory, { recursive: true });
  process.stdout.write(`${await dialog.getByText('rows:').innerText()}\n`);
  const read = { unit: 'ms', limit: FILE_MS };
  figures.tell('a file of 100,000 lines read and compared, computed', computedMs, read);
  const frozen = { unit: 'ms', limit: FROZEN_MS };
  figures.tell('longest task of the page meanwhile', longestMs, frozen);
}
