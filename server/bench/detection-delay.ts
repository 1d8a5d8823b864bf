import { setTimeout as sleep } from 'node:timers/promises';
import { servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { createDetectionJob } from '#server/network/detection/detection.job.ts';
import type { WorkerDeps } from './bench-deps.ts';
import type { SandboxProcess } from './sandbox-process.ts';
import type { NetworkName } from './polled-accounts.ts';

export interface DetectionDelay {
  posts: number;
  undetected: number;
  p50Ms: number;
  p99Ms: number;
  mostMs: number;
}

interface DelayPlan {
  /** Before the first post, so that polls have found their rhythm. */
  warmUpMs: number;
  postingMs: number;
  postsPerSecond: number;
  /** After the last post; what isn't detected by then counts as never. */
  waitMs: number;
}

const CHECK_MS = 1000;

/** Lets posts appear at random moments while a worker polls all accounts, and times their detection. */
export async function measureDetectionDelay(
  deps: WorkerDeps,
  sandbox: SandboxProcess,
  names: readonly NetworkName[],
  plan: DelayPlan,
): Promise<DetectionDelay> {
  const now = new Date(deps.clock.now());
  await deps.database.db.updateTable('poll_schedule').set({ next_poll_at: now }).execute();
  const stop = new AbortController();
  const running = createDetectionJob(deps, servePosts(deps)).run(stop.signal);
  await sleep(plan.warmUpMs);
  const appeared = await postAtRandom(deps, sandbox, names, plan);
  const detected = await waitForDetection(deps, appeared, plan.waitMs);
  stop.abort();
  await running;
  const delays = [...appeared]
    .map(([id, atMs]) => (detected.get(id) ?? Infinity) - atMs)
    .sort((a, b) => a - b);
  const quantile = (share: number): number =>
    delays[Math.min(delays.length - 1, Math.ceil(share * delays.length) - 1)] ?? Infinity;
  return {
    posts: delays.length,
    undetected: delays.filter((delay) => delay === Infinity).length,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    mostMs: quantile(1),
  };
}

/** Ids of the posts and when each was sent to the network, a moment before it appeared there. */
async function postAtRandom(
  deps: WorkerDeps,
  sandbox: SandboxProcess,
  names: readonly NetworkName[],
  { postingMs, postsPerSecond }: DelayPlan,
): Promise<Map<string, number>> {
  const appeared = new Map<string, number>();
  const count = Math.round((postingMs / 1000) * postsPerSecond);
  const post = async (): Promise<void> => {
    await sleep(Math.random() * postingMs);
    const { username } = names[Math.floor(Math.random() * names.length)] ?? { username: '' };
    const atMs = deps.clock.now();
    const created = await sandbox.control('POST', `accounts/${username}/posts`, {});
    appeared.set((created as { id: string }).id, atMs);
  };
  await Promise.all(Array.from({ length: count }, post));
  return appeared;
}

/** When each post was detected. */
async function waitForDetection(
  deps: WorkerDeps,
  appeared: ReadonlyMap<string, number>,
  waitMs: number,
): Promise<Map<string, number>> {
  const until = deps.clock.now() + waitMs;
  for (;;) {
    const rows = await deps.database.db
      .selectFrom('post')
      .select(['id', 'detected_at'])
      .where('id', 'in', [...appeared.keys()])
      .where('detected_at', 'is not', null)
      .execute();
    if (rows.length === appeared.size || deps.clock.now() > until) {
      return new Map(rows.map((row) => [row.id, row.detected_at?.getTime() ?? Infinity]));
    }
    await sleep(CHECK_MS);
  }
}
