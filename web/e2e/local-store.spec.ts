import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveModule } from './module-page.ts';
import { workersBrowser } from './share-product.ts';

let browser: Browser;
let page: Page;
let served: { url: string; stop: () => void };

beforeAll(async () => {
  [browser, served] = await Promise.all([workersBrowser(), serveModule('dexie-conformance.ts')]);
  page = await (await browser.newContext()).newPage();
  await open(page);
});
afterAll(async () => {
  await page.context().close();
  served.stop();
});

async function open(target: Page): Promise<void> {
  await target.goto(served.url);
  await target.waitForFunction('"runConformance" in globalThis');
}

test('IndexedDB keeps the promises of the store', async () => {
  const ended = await page.evaluate<Record<string, string>>('runConformance()');
  expect(Object.keys(ended)).toHaveLength(8);
  expect(Object.entries(ended).filter(([, how]) => how !== 'kept')).toEqual([]);
});

test('the browser’s Cache Storage keeps the promises of a storage of pictures', async () => {
  const ended = await page.evaluate<Record<string, string>>('runPictureConformance()');
  expect(Object.keys(ended)).toHaveLength(5);
  expect(Object.entries(ended).filter(([, how]) => how !== 'kept')).toEqual([]);
});

// Each history prints its seed when it breaks: `runHistories(seed, seed + 1)` plays it again.
test('random changes of chunks on IndexedDB read as plain rows would', async () => {
  const HISTORIES = Number(process.env['HISTORIES'] ?? 20);
  const BATCH = 20;
  for (let from = 1; from <= HISTORIES; from += BATCH) {
    const broken = await page.evaluate<string[]>(`runHistories(${from}, ${from + BATCH})`);
    expect(broken).toEqual([]);
  }
});

/** Closes a page in the middle of a write; answers what this page then reads and goes on to. */
async function closeHalfway(
  reading: Page,
  interruption: string,
): Promise<{ round: number; mixed: object; next: number }> {
  const writing = await reading.context().newPage();
  const isHalfway = Promise.withResolvers<void>();
  await writing.exposeFunction('halfway', () => isHalfway.resolve());
  await open(writing);
  void writing.evaluate(`writeUntilClosed(${interruption})`).catch(() => undefined);
  await isHalfway.promise;
  await writing.close();
  return reading.evaluate<Awaited<ReturnType<typeof closeHalfway>>>('readInterrupted()');
}

test('a page closed in the middle of a write leaves the state before it or after it, never a mix', async () => {
  let before = 0;
  const wrong: unknown[] = [];
  for (const afterOperations of [1, 3, 5, 7]) {
    for (const stay of [true, false]) {
      const interruption = `{ afterOperations: ${afterOperations}, stay: ${stay}, halfway }`;
      const read = await closeHalfway(page, interruption);
      // A transaction that stays can't have ended, so nothing of it may be there.
      const isRound = stay ? read.round === before : read.round >= before;
      const isWhole = Object.keys(read.mixed).length === 0;
      if (!isRound || !isWhole) wrong.push({ interruption, before, ...read });
      before = read.next;
    }
  }
  expect(wrong).toEqual([]);
  expect(before).toBeGreaterThan(0);
});

test('a long read in one transaction still wakes when what it read last changes', async () => {
  expect(await page.evaluate('watchLongRead()')).toEqual(['nothing', 'written']);
});

test('a replica of the first release opens, and what it remembers of the session stays', async () => {
  const opened = await page.evaluate<{ kept: unknown; tables: string[] }>('openFirstRelease()');
  expect(opened.kept).toBe(false);
  expect(opened.tables).toEqual(expect.arrayContaining(['chunk', 'meta', 'outbox', 'patch']));
});

test('in a replica of before, accounts whose renewal was declined are found by their key', async () => {
  expect(await page.evaluate<unknown[]>('openWithoutDeclinedKey()')).toEqual(['id-1']);
});

test('a replica of sync schema 1 is shown whole and read anew, whatever was on its way', async () => {
  expect(await page.evaluate<object>('openSchemaOne()')).toMatchObject({
    accounts: [{ accountId: 'id-1', accountPackageId: 9, nextPackageId: null }],
    cursors: {},
    resynced: [],
    readings: [''],
    epoch: 'same',
  });
});

test('a replica of sync schema 2 is shown, its orders without a bonus until they are read anew', async () => {
  expect(await page.evaluate<unknown>('openSchemaTwo()')).toEqual([
    { id: 'o', state: 'In progress', target: 50, bonus: 0, delivered: 20 },
  ]);
});

test('a change that was deferred before the upgrade is deferred afterwards, under the same number', async () => {
  const deferred = { code: 'overloaded', message: 'Busy.', atMs: 0, dueAtMs: 5000 };
  expect(await page.evaluate<unknown>('openDeferredBefore()')).toEqual([
    { kind: 'queued' },
    { kind: 'sending', mid: 7, deferred },
  ]);
});

test('a replica of sync schema 3 keeps its accounts, and no rows of delivery settings', async () => {
  expect(await page.evaluate<unknown>('openSchemaThree()')).toEqual(['account', 'account']);
});

test('accounts of a replica from before tags have none, and those that came with some keep them', async () => {
  expect(await page.evaluate<unknown>('openWithoutTags()')).toEqual([['VIP'], []]);
});
