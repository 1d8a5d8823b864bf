import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { PacedTime } from './paced-time.ts';

/** Says how long an hour of each timer took, by both clocks, and how many waits were short; also a child without env. */
const HOUR = `
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { PGlite } from '@electric-sql/pglite';
const HOUR_MS = 3_600_000;
const isStarted = process.argv[2] === undefined;
const db = isStarted ? await PGlite.create() : undefined;
const [date, clock] = [new Date().getTime(), performance.now()];
let early = 0;
async function wait(ms) {
  await sleep(ms);
  if (Date.now() - date < ms) early += 1;
}
await Promise.all([
  ...Array.from({ length: 100 }, (_, seconds) => wait(HOUR_MS + seconds * 1000)),
  new Promise((resolve) => setTimeout(resolve, HOUR_MS)),
  new Promise((resolve) => {
    let times = 0;
    const timer = setInterval(() => {
      times += 1;
      if (times === 6) resolve(clearInterval(timer));
    }, HOUR_MS / 6);
  }),
]);
const told = await db?.query('select extract(epoch from now()) * 1000 as now');
const times = [Date.now() - date, performance.now() - clock, Number(told?.rows[0].now) - date];
// At least: while a busy machine does something else, another hour passes in a second.
console.log(times.map((ms) => Math.min(1, Math.floor(ms / HOUR_MS))).join(' '), 'early', early);
if (isStarted) fork(import.meta.filename, ['forked'], { env: {} });
`;

test('hours pass in seconds for a process, its children and the embedded database', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'ovation-pace-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  // Beside this file, so that it finds the database's package.
  const script = join(import.meta.dirname, `hour-${process.pid}.mjs`);
  writeFileSync(script, HOUR);
  onTestFinished(() => rmSync(script));
  const time = new PacedTime(join(directory, 'pace.jsonl'));
  // Optimizing the database's code takes longer than it lives.
  const child = spawn(process.execPath, ['--liftoff-only', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: time.nodeOptions },
  });
  onTestFinished(() => void child.kill());
  const said = text(child.stdout);
  void time.pass(1000 * 3_600_000, 3600);
  expect(await said).toBe('1 1 1 early 0\n1 1 NaN early 0\n');
});
