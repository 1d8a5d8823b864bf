import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { findBrowser } from '../../../web/e2e/browser.ts';
import type { CountingProxy } from './counting-proxy.ts';

/** Likes from here on are the number of a change (`pages/page-bench.js`). */
const FIRST_MARK = 10_000_000;
const MISSED_CONCURRENCY = 50;
const TIME_LIMIT_MS = 240_000;

/** One client with the server it syncs with. */
export interface Contender {
  name: string;
  url: string;
  cookie: string | undefined;
  proxy: CountingProxy;
  change(marks: readonly number[]): Promise<number>;
  checksum(): Promise<string>;
  memory(): Promise<number>;
}

export interface Measured {
  firstMs: number;
  durableMs: number;
  liveMs: number[];
  catchUpMs: number | undefined;
  wireBytes: number | undefined;
  memoryBytes: number | undefined;
  /** Whether all content was what the server has, after the first sync and in the end. */
  isWhole: boolean;
}

/** How many a client is told of at once, and how many while it is away. */
export interface Changes {
  live: number;
  missed: number;
}

/** What the pages offer. */
interface PageBench {
  firstSync(): Promise<{ firstMs: number; durableMs: number }>;
  seenAt(mark: number): Promise<number>;
  stop(): Promise<void>;
  resume(marks: number[]): Promise<number>;
  puts(): Promise<number[]>;
  checksum(): Promise<string>;
}

declare const window: { bench: PageBench };

/** Marks never come twice, whoever is measured. */
const marks = (function* count(): Generator<number, number> {
  for (let mark = FIRST_MARK; ; mark += 1) yield mark;
})();

/** One run in a browser profile of its own, on disk. */
export async function measureClient(contender: Contender, changes: Changes): Promise<Measured> {
  const profile = await mkdtemp(join(tmpdir(), 'ovation-profile-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: await findBrowser(),
    headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-quic'],
  });
  try {
    const { cookie, url } = contender;
    const place = { domain: new URL(url).hostname, path: '/' };
    if (cookie) await context.addCookies([{ name: 'ovation', value: cookie, ...place }]);
    const page = await context.newPage();
    page.setDefaultTimeout(TIME_LIMIT_MS);
    page.on('pageerror', (error) => console.error(`${contender.name}: ${error.message}`));
    page.on('console', (line) => {
      if (line.type() === 'error') console.error(`${contender.name}: ${line.text()}`);
    });
    await page.goto(url);
    await page.waitForFunction(() => 'bench' in window);
    const late = new Promise<never>((_resolve, reject) => {
      setTimeout(
        () => reject(new Error(`Not done after ${TIME_LIMIT_MS} ms`)),
        TIME_LIMIT_MS,
      ).unref();
    });
    return await Promise.race([measurePage(page, contender, changes), late]);
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}

async function measurePage(
  page: Page,
  contender: Contender,
  { live, missed: missedInAll }: Changes,
): Promise<Measured> {
  const { proxy } = contender;
  proxy.reset();
  const first = await page.evaluate(() => window.bench.firstSync());
  const wireBytes = proxy.bytes();
  const memoryBytes = await contender.memory();
  const isWhole = await isSame(page, contender);
  if (contender.name === 'floor') {
    const liveMs = await page.evaluate(() => window.bench.puts());
    return {
      ...first,
      liveMs,
      isWhole,
      catchUpMs: undefined,
      wireBytes: undefined,
      memoryBytes: undefined,
    };
  }
  const liveMs: number[] = [];
  for (let nr = 0; nr < live; nr += 1) {
    const mark = marks.next().value;
    const at = await contender.change([mark]);
    liveMs.push((await page.evaluate((asked) => window.bench.seenAt(asked), mark)) - at);
  }
  await page.evaluate(() => window.bench.stop());
  const missed: number[] = [];
  while (missed.length < missedInAll) {
    const length = Math.min(MISSED_CONCURRENCY, missedInAll - missed.length);
    const some = Array.from({ length }, () => marks.next().value);
    await contender.change(some);
    missed.push(...some);
  }
  const catchUpMs = await page.evaluate((asked) => window.bench.resume(asked), missed);
  const isWholeAtEnd = await isSame(page, contender);
  return { ...first, liveMs, catchUpMs, wireBytes, memoryBytes, isWhole: isWhole && isWholeAtEnd };
}

async function isSame(page: Page, contender: Contender): Promise<boolean> {
  const [held, expected] = [
    await page.evaluate(() => window.bench.checksum()),
    await contender.checksum(),
  ];
  if (held !== expected) console.error(`${contender.name} holds ${held} for ${expected}`);
  return held === expected;
}
