import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CALLS } from '#shared/contract/calls.ts';
import { PASSWORD } from '#test/customers.ts';
import { freePort } from '#test/free-port.ts';
import { startDoorsNode, stop } from './doors/doors-node.ts';

/**
 * What another customer waits while one attacks, as a multiple of a quiet time of the same node. Words of the
 * command line choose attacks; a number, how many calls are timed: with fewer than usual nothing is judged.
 */
const ALL = ['heads', 'streams', 'logins', 'posts', 'snapshots'];
const CALLS_USUAL = 60;
const words = process.argv.slice(2);
const callsEach = Number(words.find((word) => Number(word) > 0) ?? CALLS_USUAL);
const loginsEach = Math.ceil(callsEach / 6);
const isJudged = callsEach >= CALLS_USUAL;
const chosen = words.filter((word) => ALL.includes(word));
const ATTACKS = chosen.length > 0 ? chosen : ALL;
const MOST_TIMES = 3;
/** A call that is quicker counts as this: nobody notices the difference. */
const FLOOR_MS = 20;
/** Two heartbeats and a round of the hub. */
const GONE_AFTER_MS = 50_000;

const dataDir = await mkdtemp(join(tmpdir(), 'ovation-doors-'));
const port = await freePort();
const node = await startDoorsNode(dataDir, port);
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

/** Medians of what a customer waits for, while the attacker's data changes all the time. */
async function measure(): Promise<{ call: number; slowCall: number; logIn: number }> {
  const calls: number[] = [];
  const logIns: number[] = [];
  for (let nr = 0; nr < callsEach; nr += 1) {
    if (nr % 5 === 0) await node.change(Math.floor(performance.now()));
    calls.push(await timeOf(readPosts));
  }
  for (let nr = 0; nr < loginsEach; nr += 1) logIns.push(await timeOf(logIn));
  return { call: at(calls, 0.5), slowCall: at(calls, 0.95), logIn: at(logIns, 0.5) };
}

async function measureDuring(attack: string) {
  const file = join(import.meta.dirname, 'doors', 'attack.ts');
  const attacker = fork(file, [attack, String(port), JSON.stringify(node.attacker)]);
  await once(attacker, 'message');
  const measured = await measure();
  await stop(attacker);
  return measured;
}

/** How many streams are left once they must have gone. */
async function leftBehind(): Promise<number> {
  const until = performance.now() + GONE_AFTER_MS;
  for (;;) {
    const left = await node.followers();
    if (left === 0 || performance.now() > until) return left;
    await sleep(200);
  }
}

const times = (during: number, quiet: number): number => during / Math.max(FLOOR_MS, quiet);
const ms = (value: number): string => `${value.toFixed(0)} ms`;

/** Prints one attack beside the quiet time right before it; whether the customer hardly noticed. */
async function judge(attack: string): Promise<boolean> {
  const quiet = await measureDuring('quiet');
  const during = await measureDuring(attack);
  const left = await leftBehind();
  const call = times(during.call, quiet.call);
  const login = times(during.logIn, quiet.logIn);
  const isFine = call <= MOST_TIMES && login <= MOST_TIMES && left === 0;
  console.log(
    `${attack}: call ${call.toFixed(1)}x (${ms(quiet.call)} -> ${ms(during.call)}, p95 ` +
      `${times(during.slowCall, quiet.slowCall).toFixed(1)}x), log-in ${login.toFixed(1)}x ` +
      `(${ms(quiet.logIn)} -> ${ms(during.logIn)}), streams left ${left}${isFine ? '' : '  TOO MUCH'}`,
  );
  return isFine;
}

try {
  // The first calls compile what they run.
  await measure();
  for (const attack of ATTACKS) {
    if (!(await judge(attack)) && isJudged) process.exitCode = 1;
  }
} finally {
  await node.stop();
  await rm(dataDir, { recursive: true, force: true });
}
