import { ENGINES, type Engine, openBenchDeps } from './bench-deps.ts';
import { type DetectionDelay, measureDetectionDelay } from './detection-delay.ts';
import { type PollSpeed, measurePollSpeed } from './poll-speed.ts';
import { SandboxProcess } from './sandbox-process.ts';
import { makeAccounts, type NetworkName, schedulePolls } from './polled-accounts.ts';

/**
 * `npm run bench:detect [embedded | postgres] [accounts]`: what one worker process polls, and how soon
 * it detects a post (D7). Ends with 1 where a target is missed; with few accounts it is that every post is detected.
 */
const ACCOUNTS_MEASURED = 10_000;
const accounts = Number(process.argv[3] ?? ACCOUNTS_MEASURED);
const isWhole = accounts >= ACCOUNTS_MEASURED;
const PASSES = isWhole ? 2 : 1;
const RATIO_AIM = 0.6;
const P99_LIMIT_MS = 30_000;
const PLAN = isWhole
  ? { warmUpMs: 6000, postingMs: 15_000, postsPerSecond: 40, waitMs: 32_000 }
  : { warmUpMs: 500, postingMs: 1000, postsPerSecond: 5, waitMs: 300_000 };

interface Result {
  engine: Engine;
  speed: PollSpeed;
  delay: DetectionDelay;
}

const chosen = ENGINES.filter((engine) => engine === process.argv[2]);
const engines = chosen.length > 0 ? chosen : ENGINES;
const startedAt = performance.now();
const sandbox = await SandboxProcess.start();
try {
  const names = await makeAccounts(sandbox, accounts);
  say(`${names.length} accounts of 12 posts on the sandbox, a process of its own`);
  const results: Result[] = [];
  for (const engine of engines) results.push(await measure(engine, names));
  report(results);
} finally {
  await sandbox.stop();
}

async function measure(engine: Engine, names: readonly NetworkName[]): Promise<Result> {
  const worker = await openBenchDeps(engine, sandbox.url);
  const { deps } = worker;
  try {
    await schedulePolls(deps, names);
    say(`${engine}: polling all accounts, in turns with bare loops of the same calls`);
    const speed = await measurePollSpeed(deps, sandbox, names, PASSES);
    say(`${engine}: posts appear at random moments while all accounts are watched`);
    const delay = await measureDetectionDelay(deps, sandbox, names, PLAN);
    return { engine, speed, delay };
  } finally {
    await worker.close();
  }
}

function report(results: readonly Result[]): void {
  console.log('');
  console.table(
    Object.fromEntries(
      results.map(({ engine, speed }) => [
        engine,
        {
          'first sight /s': Math.round(speed.firstPerSecond),
          'full path /s': Math.round(speed.fullPerSecond),
          'bare loop /s': Math.round(speed.requestPerSecond),
          ratio: ratioOf(speed).toFixed(2),
          'barest loop /s': Math.round(speed.dispatchPerSecond),
          'ratio to barest': (speed.fullPerSecond / speed.dispatchPerSecond).toFixed(2),
        },
      ]),
    ),
  );
  console.table(
    Object.fromEntries(
      results.map(({ engine, delay }) => [
        engine,
        {
          accounts,
          posts: delay.posts,
          undetected: delay.undetected,
          'p50 s': seconds(delay.p50Ms),
          'p99 s': seconds(delay.p99Ms),
          'most s': seconds(delay.mostMs),
        },
      ]),
    ),
  );
  const missed = results.flatMap(missedTargets);
  for (const line of missed) console.log(`missed: ${line}`);
  if (missed.length > 0) process.exitCode = 1;
  else
    say(
      isWhole
        ? `full path >= ${RATIO_AIM} of the bare loop, p99 <= ${P99_LIMIT_MS / 1000} s: reached`
        : 'every post detected',
    );
}

/** The bare loop is undici's `request()`, its body read; the barest one skips what that costs. */
function ratioOf(speed: PollSpeed): number {
  return speed.fullPerSecond / speed.requestPerSecond;
}

function missedTargets({ engine, speed, delay }: Result): string[] {
  if (!isWhole) return delay.undetected === 0 ? [] : [`${engine}: ${delay.undetected} undetected`];
  const missed: string[] = [];
  const ratio = ratioOf(speed);
  if (ratio < RATIO_AIM) missed.push(`${engine}: ratio ${ratio.toFixed(2)}, aim ${RATIO_AIM}`);
  if (!(delay.p99Ms <= P99_LIMIT_MS)) missed.push(`${engine}: p99 ${seconds(delay.p99Ms)} s`);
  return missed;
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1);
}

function say(line: string): void {
  console.log(`${seconds(performance.now() - startedAt).padStart(6)} s  ${line}`);
}
