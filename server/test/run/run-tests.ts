import { spawn, type StdioOptions } from 'node:child_process';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildWeb } from '#server/main/start/web-build.ts';

/**
 * `npm test`: format, lint, types, build, then every test. `npm test -- path ...`: the named files alone,
 * on both engines, with a build only where one of them needs it and a source is newer than the last one.
 * `npm run test:fast`: format, lint, types, and the tests that need nothing but the code, no page either.
 */
const ROOT = join(import.meta.dirname, '../../..');
const IS_WINDOWS = process.platform === 'win32';
const wanted = process.argv.slice(2);
const FAST = '--fast';
const GIGABYTE = 2 ** 30;
/** The types' linter, written in Go, ends before its garbage matters: 4.2 GB with all of it, 2.6 GB without. */
const LEAVING_GARBAGE =
  totalmem() < 8 * GIGABYTE
    ? {}
    : { GOGC: 'off', GOMEMLIMIT: `${Math.floor(totalmem() / 2 / GIGABYTE)}GiB` };

/** Browser specs open the built pages, and the weights of routes are read off the build. */
const needsBuild = (path: string): boolean =>
  /\.spec\b|route-sizes/.test(path) || !/\.test\.tsx?$/.test(path);

if (wanted[0] === FAST) {
  await check(['lint']);
  await test('--project', 'code', ...wanted.slice(1));
} else if (wanted.length === 0) {
  await check(['lint', 'build']);
  await test('--project', '!pglite');
} else {
  if (wanted.some(needsBuild)) await buildWeb();
  await test('--project', '!engines', ...wanted);
}

/** Side by side, because each leaves a core idle for half of its time. */
async function check(steps: readonly string[]): Promise<void> {
  const ended = await Promise.all(
    steps.map((step) => run('npm', ['run', '--silent', step], 'pipe', LEAVING_GARBAGE)),
  );
  for (const { said } of ended) process.stdout.write(said);
  const failed = ended.find(({ code }) => code !== 0);
  if (failed) process.exit(failed.code);
}

async function test(...words: string[]): Promise<void> {
  const { code } = await run('npx', ['vitest', 'run', ...words], 'inherit');
  process.exitCode = code;
}

/** How a command ended, and what it said where that is not shown at once. */
async function run(
  command: string,
  words: readonly string[],
  out: 'inherit' | 'pipe',
  more: Readonly<Record<string, string>> = {},
): Promise<{ code: number; said: string }> {
  const stdio: StdioOptions = ['inherit', out, out];
  const env = { ...process.env, ...more };
  const child = spawn(command, words, { cwd: ROOT, stdio, env, shell: IS_WINDOWS });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  const heard = [child.stdout, child.stderr]
    .filter((stream) => stream !== null)
    .map((stream) => text(stream));
  return { said: (await Promise.all(heard)).join(''), code: await ended };
}
