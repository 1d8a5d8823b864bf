import { servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { Detector, POLL_CONCURRENCY, POSTS_PER_POLL } from '#server/network/detection/detector.ts';
import { POLL_INTERVAL_MS } from '#server/network/detection/poll-pace.ts';
import { openBareLoop } from './bare-loop.ts';
import type { WorkerDeps } from './bench-deps.ts';
import type { SandboxProcess } from './sandbox-process.ts';
import type { NetworkName } from './polled-accounts.ts';

/** Accounts whose figures change between two passes: likes come in all the time. */
const CHANGED_SHARE = 0.05;
const CHANGES_CONCURRENCY = 16;

/** Accounts a second. */
export interface PollSpeed {
  /** When every account is seen for the first time, and stored whole. */
  firstPerSecond: number;
  /** Bare loops, with undici's `request()` and with the product's own cheaper call. */
  requestPerSecond: number;
  dispatchPerSecond: number;
  fullPerSecond: number;
}

/**
 * Accounts a second through the full path (claim, HTTP, compare, store) and through bare HTTP loops
 * that make the same calls, in turns, so that whatever else the machine does hits all of them alike.
 */
export async function measurePollSpeed(
  deps: WorkerDeps,
  sandbox: SandboxProcess,
  names: readonly NetworkName[],
  passes: number,
): Promise<PollSpeed> {
  const bare = await openBareLoop(sandbox.url, POLL_CONCURRENCY, POSTS_PER_POLL);
  // Time that passes between two passes without anybody waiting for it: all accounts are due again.
  let passedMs = 0;
  const clock = { ...deps.clock, now: () => deps.clock.now() + passedMs };
  const detector = new Detector({ ...deps, clock }, servePosts(deps));
  await bare.run(names, 'dispatch', POLL_CONCURRENCY);
  const first = await timed(() => pollAll(detector));
  const spent = { request: 0, dispatch: 0, full: 0 };
  for (let pass = 0; pass < passes; pass += 1) {
    await changeFigures(sandbox, names, pass);
    spent.request += await timed(() => bare.run(names, 'request', POLL_CONCURRENCY));
    passedMs += POLL_INTERVAL_MS;
    spent.full += await timed(() => pollAll(detector));
    spent.dispatch += await timed(() => bare.run(names, 'dispatch', POLL_CONCURRENCY));
  }
  await bare.close();
  const perSecond = (ms: number, times: number): number => (names.length * times * 1000) / ms;
  return {
    firstPerSecond: perSecond(first, 1),
    requestPerSecond: perSecond(spent.request, passes),
    dispatchPerSecond: perSecond(spent.dispatch, passes),
    fullPerSecond: perSecond(spent.full, passes),
  };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Rounds until nothing is due; everything seen is written when it ends. */
async function pollAll(detector: Detector): Promise<void> {
  const { signal } = new AbortController();
  while ((await detector.round(signal)) === 'again');
  await detector.settled();
}

/** Gives every twentieth account other figures. */
async function changeFigures(
  sandbox: SandboxProcess,
  names: readonly NetworkName[],
  pass: number,
): Promise<void> {
  const every = Math.round(1 / CHANGED_SHARE);
  const rest = names.filter((_, index) => index % every === pass % every).values();
  const lane = async (): Promise<void> => {
    for (const { username } of rest) {
      const posts = await sandbox.control('GET', `accounts/${username}/posts`);
      const [newest] = posts as Array<{ id: string }>;
      if (!newest) continue;
      await sandbox.control('PATCH', `posts/${newest.id}`, { organicLikes: 1000 + pass });
    }
  };
  await Promise.all(Array.from({ length: CHANGES_CONCURRENCY }, lane));
}
