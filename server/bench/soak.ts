import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/**
 * `npm run test:soak -- <files> [times]`: repeats test files while every core is kept busy, and prints
 * what failed in which round. Ends with 1 where anything did. Random tests print their seeds themselves.
 */
const ROOT = join(import.meta.dirname, '../..');
const DEFAULT_TIMES = 20;

const words = process.argv.slice(2);
const last = Number(words.at(-1));
const times = Number.isInteger(last) ? last : DEFAULT_TIMES;
const files = Number.isInteger(last) ? words.slice(0, -1) : words;
if (files.length === 0 || times < 1) {
  console.error('Name the files to repeat: npm run test:soak -- web/e2e/receipt.spec.ts 20');
  process.exit(2);
}

const busy = Array.from({ length: availableParallelism() }, () =>
  spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' }),
);
const stop = (): void => busy.forEach((child) => child.kill('SIGKILL'));
process.once('exit', stop);
process.once('SIGINT', () => process.exit(130));

let failures = 0;
for (let round = 1; round <= times; round += 1) {
  const { status, stdout } = spawnSync('npx', ['vitest', 'run', ...files], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  console.log(`round ${round} of ${times}: ${status === 0 ? 'green' : 'red'}`);
  if (status === 0) continue;
  failures += 1;
  console.log(stdout.slice(stdout.indexOf('Failed Tests')));
}
console.log(`${times} rounds, ${failures} red`);
process.exit(failures === 0 ? 0 : 1);
