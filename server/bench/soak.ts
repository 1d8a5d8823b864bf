import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { exitOnSignals } from '#test/run/exit-on-signals.ts';

/**
 * `npm run test:soak -- <files> [times]`: repeats test files while every core is kept busy, or as many as
 * `BUSY_CORES` says, and prints each failure with its round and the seed that plays it again. With
 * `ROUNDS_AT_ONCE=3` the rounds are each other's load: twenty of the browser's take a third of the time.
 * Ends with 1 where anything failed.
 */
const ROOT = join(import.meta.dirname, '../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const DEFAULT_TIMES = 20;
const ROUNDS_AT_ONCE = Number(process.env['ROUNDS_AT_ONCE'] ?? 1);
const BUSY_CORES = Number(
  process.env['BUSY_CORES'] ?? (ROUNDS_AT_ONCE > 1 ? 0 : availableParallelism()),
);

interface JsonReport {
  testResults: Array<{
    name: string;
    message: string;
    assertionResults: Array<{ fullName: string; status: string; failureMessages: string[] }>;
  }>;
}

const words = process.argv.slice(2);
const last = Number(words.at(-1));
const times = Number.isInteger(last) ? last : DEFAULT_TIMES;
const files = Number.isInteger(last) ? words.slice(0, -1) : words;
if (files.length === 0 || times < 1) {
  console.error('Name the files to repeat: npm run test:soak -- web/e2e/receipt.spec.ts 20');
  process.exit(2);
}

// Each ends with this process, whatever ends it.
const BUSY = 'const parent = process.ppid; while (process.ppid === parent);';
const busy = Array.from({ length: BUSY_CORES }, () =>
  spawn(process.execPath, ['--eval', BUSY], { stdio: 'ignore' }),
);
const folder = mkdtempSync(join(tmpdir(), 'ovation-soak-'));
busy.forEach((child) => child.unref());
const playing = new Set<ChildProcess>();
process.once('exit', () => {
  busy.forEach((child) => child.kill('SIGKILL'));
  // Told, it removes what is its own; left alone it would write its report into the folder.
  playing.forEach((child) => child.kill('SIGTERM'));
  rmSync(folder, { recursive: true, force: true });
});
exitOnSignals();

let begun = 0;
let red = 0;
await Promise.all(Array.from({ length: ROUNDS_AT_ONCE }, playRounds));
console.log(`${times} rounds, ${red} red`);
process.exitCode = red === 0 ? 0 : 1;

async function playRounds(): Promise<void> {
  while (begun < times) {
    begun += 1;
    const round = begun;
    const failures = await runOnce(join(folder, `round-${round}.json`));
    console.log(`round ${round} of ${times}: ${failures.length === 0 ? 'green' : 'red'}`);
    failures.forEach((failure) => console.log(`  ${failure}`));
    if (failures.length > 0) red += 1;
  }
}

/** What failed, one text each. */
async function runOnce(report: string): Promise<string[]> {
  const reporting = ['--reporter=json', `--outputFile=${report}`];
  const child = spawn(process.execPath, [VITEST, 'run', ...files, ...reporting], {
    cwd: ROOT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  playing.add(child);
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  playing.delete(child);
  if (code === 0) return [];
  const failures = readFailures(report);
  // What its pages showed; or where no test failed, what went wrong before or beside the tests.
  return [...failures, said.trim()];
}

function readFailures(report: string): string[] {
  let results: JsonReport['testResults'];
  try {
    results = (JSON.parse(readFileSync(report, 'utf8')) as JsonReport).testResults;
  } catch {
    return [];
  }
  return results.flatMap(({ name, message, assertionResults }) => {
    const file = relative(ROOT, name);
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    if (failed.length === 0) return message === '' ? [] : [`${file}: ${message}`];
    return failed.map(({ fullName, failureMessages }) => {
      const told = failureMessages.join('\n');
      const seed = /\bseed\b\D{0,3}(-?\d+)/.exec(told)?.[1] ?? 'none, it draws nothing';
      return `${file}: ${fullName}\n  seed: ${seed}\n  ${told.replaceAll('\n', '\n  ')}`;
    });
  });
}
