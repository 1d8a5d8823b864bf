import { readFile } from 'node:fs/promises';
import type { Browser, CDPSession, Page } from 'playwright-core';

/** Megabytes of a tab's process. */
export interface TabMemory {
  /** What it has to itself (RssAnon + VmSwap): what Chrome's own task manager calls memory footprint. */
  footprint: number;
  /** All that is resident, with the browser's code that every process shares. */
  resident: number;
}

const SAMPLE_MS = 100;

/** Follows the memory of the largest tab of a browser; there should be no other one open. Linux only. */
export interface MemoryWatch {
  /** As of now. */
  read: () => Promise<TabMemory>;
  /** The most that was seen since it began. */
  peak: () => TabMemory;
  stop: () => Promise<void>;
}

export async function watchMemory(browser: Browser): Promise<MemoryWatch> {
  const session = await browser.newBrowserCDPSession();
  const peak: TabMemory = { footprint: 0, resident: 0 };
  const read = async (): Promise<TabMemory> => {
    const pids = await rendererPids(session);
    const all = await Promise.all(pids.map(memoryOf));
    const now = {
      footprint: Math.max(0, ...all.map(({ footprint }) => footprint)),
      resident: Math.max(0, ...all.map(({ resident }) => resident)),
    };
    peak.footprint = Math.max(peak.footprint, now.footprint);
    peak.resident = Math.max(peak.resident, now.resident);
    return now;
  };
  let reading: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    reading = reading.then(read).catch(() => undefined);
  }, SAMPLE_MS);
  return {
    read,
    peak: () => ({ ...peak }),
    stop: async () => {
      clearInterval(timer);
      await reading;
      await session.detach();
    },
  };
}

async function rendererPids(session: CDPSession): Promise<number[]> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** Zeros for a process that has just ended. */
async function memoryOf(pid: number): Promise<TabMemory> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const megabytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'mu').exec(text)?.[1] ?? 0) / 1024;
  return { footprint: megabytes('RssAnon') + megabytes('VmSwap'), resident: megabytes('VmRSS') };
}

/** The page's own heap of JavaScript once what nobody holds is gone, megabytes; workers have their own. */
export async function heapAfterCollection(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1024 / 1024;
}
