import type { Browser, Page } from 'playwright-core';

/** What a tab's threads computed: their own time, which doesn’t grow while the machine does something else. */
export interface ThreadTime {
  /** The longest task of the page’s main thread, milliseconds. */
  longestMs: number;
  /** All tasks of the main thread and of the tab’s workers, milliseconds. */
  computedMs: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** When it began; all in microseconds. */
  ts: number;
  /** What its thread computed meanwhile. */
  tdur?: number;
  args: { name?: string };
}

/** A page’s own marks (`performance.mark`), between which is counted where there are any. */
export const BEGIN = 'bench:begin';
export const END = 'bench:end';

const CATEGORIES = ['disabled-by-default-devtools.timeline', 'blink.user_timing'];
const MAIN = 'CrRendererMain';
const WORKER = 'DedicatedWorker thread';

export async function threadTime(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<ThreadTime> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await work();
  const trace = (await browser.stopTracing()).toString();
  return timeIn((JSON.parse(trace) as { traceEvents: TraceEvent[] }).traceEvents);
}

function timeIn(events: readonly TraceEvent[]): ThreadTime {
  const threads = new Map(
    events
      .filter(({ name }) => name === 'thread_name')
      .map(({ pid, tid, args }) => [`${pid}/${tid}`, args.name]),
  );
  const from = events.find(({ name }) => name === BEGIN)?.ts ?? -Infinity;
  const to = events.findLast(({ name }) => name === END)?.ts ?? Infinity;
  let [longest, computed] = [0, 0];
  for (const { name, pid, tid, ts, tdur = 0 } of events) {
    const thread = threads.get(`${pid}/${tid}`);
    // The task in which the first mark was made began before it.
    if (name !== 'RunTask' || ts > to || ts + tdur < from) continue;
    if (thread === MAIN) longest = Math.max(longest, tdur);
    if (thread === MAIN || thread === WORKER) computed += tdur;
  }
  return { longestMs: longest / 1000, computedMs: computed / 1000 };
}
