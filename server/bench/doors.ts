import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CALLS } from '#shared/contract/calls.ts';
import { PASSWORD } from '#test/people/customers.ts';
import { freePort } from '#test/processes/free-port.ts';
import { plantDatabase } from '#test/databases/migrated-image.ts';
import { createPostgresDatabase, sharedPostgres } from '#test/databases/migrated-postgres.ts';
import { patiently, WAIT_MS } from '#test/patience.ts';
import { bundled } from '#test/processes/bundled.ts';
import { startDoorsNode, stop } from './doors/doors-node.ts';

/**
 * What another customer waits while one attacks, as a multiple of a quiet time of the same node. Words of the
 * command line choose attacks; a number, how many calls are timed: with fewer than usual nothing is judged.
 */
const ALL = ['heads', 'streams', 'logins', 'posts', 'snapshots', 'lookups'];
const CALLS_USUAL = 60;
const words = process.argv.slice(2);
const callsInAll = Number(words.find((word) => Number(word) > 0) ?? CALLS_USUAL);
const isJudged = callsInAll >= CALLS_USUAL;
/** Quiet and attacked times take turns, so that both see the same machine. */
const ROUNDS = isJudged ? 3 : 1;
/** Floods of 50 requests for nothing but a stream’s head. */
const HEADS = isJudged ? 60 : 6;
const callsEach = Math.ceil(callsInAll / ROUNDS);
// A customer has 120 log-ins an hour: all attacks together stay below.
const loginsEach = Math.ceil(callsEach / 7);
const chosen = words.filter((word) => ALL.includes(word));
const ATTACKS = chosen.length > 0 ? chosen : ALL;
const TIMES_LIMIT = 3;
/** From its appearance on the network, ms. */
const DETECTED_LIMIT_MS = 30_000;
/** A call that is quicker counts as this: nobody notices the difference. */
const FLOOR_MS = 20;
/** Two heartbeats and a round of the hub. */
const GONE_AFTER_MS = 50_000;

const dataDir = await mkdtemp(join(tmpdir(), 'ovation-doors-'));
const shared = isJudged ? undefined : sharedPostgres();
const databaseUrl = shared && (await createPostgresDatabase(shared.baseUrl));
if (!databaseUrl) await plantDatabase(dataDir);
const port = await freePort();
const node = await startDoorsNode({ dataDir, port, databaseUrl });
const origin = `http://127.0.0.1:${port}`;

async function timeOf(work: () => Promise<Response>): Promise<number> {
  const startedAt = performance.now();
  const answer = await work();
  await answer.text();
  if (!answer.ok) throw new Error(`The customer was answered ${answer.status}`);
  return performance.now() - startedAt;
}

const readPosts = (): Promise<Response> =>
  fetch(`${origin}${CALLS.getPosts.path}?igId=${node.victim.igId}`, {
    headers: { cookie: node.victim.cookie, 'x-forwarded-for': '203.0.113.1' },
  });

const logIn = (): Promise<Response> =>
  fetch(`${origin}${CALLS.login.path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': '203.0.113.2',
    },
    body: new URLSearchParams({
      email: node.ownerEmail,
      password: PASSWORD,
      keepSignedIn: 'false',
    }),
  });

const at = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * part)] ?? Number.NaN;

interface Waits {
  calls: number[];
  logIns: number[];
  /** Answers that the attacker got meanwhile. */
  answered: number;
}

/** What a customer waits for, while the attacker's data changes all the time. */
async function measure({ calls, logIns }: Omit<Waits, 'answered'>): Promise<void> {
  for (let nr = 0; nr < callsEach; nr += 1) {
    if (nr % 5 === 0) await node.change(Math.floor(performance.now()));
    calls.push(await timeOf(readPosts));
  }
  for (let nr = 0; nr < loginsEach; nr += 1) logIns.push(await timeOf(logIn));
}

/** Measures while an attacker is at work; what `also` finds out meanwhile. */
async function measureDuring<T>(attack: string, waits: Waits, also: () => Promise<T>): Promise<T> {
  const file = await bundled('server/bench/doors/attack.ts');
  const attacker = fork(file, [attack, String(port), JSON.stringify(node.attacker), String(HEADS)]);
  await once(attacker, 'message');
  await measure(waits);
  const found = await also();
  attacker.send('answered');
  const [answered] = (await once(attacker, 'message')) as [number];
  waits.answered += answered;
  await stop(attacker);
  return found;
}

/** How many streams are left once they must have gone. */
async function leftBehind(): Promise<number> {
  const until = performance.now() + (isJudged ? GONE_AFTER_MS : patiently(WAIT_MS));
  for (;;) {
    const left = await node.followers();
    if (left === 0 || performance.now() > until) return left;
    await sleep(200);
  }
}

const times = (during: number, quiet: number): number => during / Math.max(FLOOR_MS, quiet);
const middle = (values: readonly number[]): string => `${at(values, 0.5).toFixed(0)} ms`;

/** Prints one attack beside the quiet times around it; whether the customers hardly noticed. */
async function judge(attack: string): Promise<boolean> {
  const quiet: Waits = { calls: [], logIns: [], answered: 0 };
  const during: Waits = { calls: [], logIns: [], answered: 0 };
  let detectedMs = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    await measureDuring('quiet', quiet, async () => undefined);
    const isLast = round === ROUNDS - 1;
    const detect = isLast ? () => node.detect() : async () => 0;
    detectedMs = await measureDuring(attack, during, detect);
  }
  const left = await leftBehind();
  const call = times(at(during.calls, 0.5), at(quiet.calls, 0.5));
  const slowCall = times(at(during.calls, 0.95), at(quiet.calls, 0.95));
  const login = times(at(during.logIns, 0.5), at(quiet.logIns, 0.5));
  const isFine =
    call <= TIMES_LIMIT && login <= TIMES_LIMIT && left === 0 && detectedMs <= DETECTED_LIMIT_MS;
  console.log(
    `${attack}: call ${call.toFixed(1)}x (${middle(quiet.calls)} -> ${middle(during.calls)}, p95 ` +
      `${slowCall.toFixed(1)}x), log-in ${login.toFixed(1)}x (${middle(quiet.logIns)} -> ` +
      `${middle(during.logIns)}), flood answered ${during.answered} times, post detected after ` +
      `${(detectedMs / 1000).toFixed(1)} s, streams left ${left}${isFine ? '' : '  TOO MUCH'}`,
  );
  return isFine;
}

try {
  // The first calls compile what they run.
  await measure({ calls: [], logIns: [] });
  for (const attack of ATTACKS) {
    if (!(await judge(attack)) && isJudged) process.exitCode = 1;
  }
} finally {
  await node.stop();
  await rm(dataDir, { recursive: true, force: true });
}
