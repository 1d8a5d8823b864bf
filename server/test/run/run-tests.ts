import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildWeb } from '#server/main/start/web-build.ts';

/**
 * `npm test`: a build, then every test, with format, lint and types beside them. `npm test -- path ...`: the named
 * files alone, on both engines, with a build only where one of them needs it and a source is newer than the last one.
 * `npm run test:fast`: format, lint, types, and the tests that need nothing but the code, no page either.
 */
const ROOT = join(import.meta.dirname, '../../..');
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const IS_WINDOWS = process.platform === 'win32';
const wanted = process.argv.slice(2);
const FAST = '--fast';
const GIGABYTE = 2 ** 30;
/** The types' linter, written in Go, ends before its garbage matters: 4.2 GB with all of it, 2.6 GB without. */
const LEAVING_GARBAGE =
  totalmem() < 12 * GIGABYTE
    ? {}
    : { GOGC: 'off', GOMEMLIMIT: `${Math.floor(totalmem() / 2 / GIGABYTE)}GiB` };

/** Browser specs open the built pages, and the weights of routes are read off the build. */
const needsBuild = (path: string): boolean =>
  /\.spec\b|route-sizes/.test(path) || !/\.test\.tsx?$/.test(path);

if (wanted[0] === FAST) {
  await test(['--project', 'code', ...wanted.slice(1)], check('lint'));
} else if (wanted.length === 0) {
  const lint = check('lint');
  const build = await check('build').ended;
  process.stdout.write(build.said);
  if (build.code === 0) await test(['--project', '!pglite'], lint);
  else await end(lint, build.code);
} else {
  if (wanted.some(needsBuild)) await buildWeb();
  await test(['--project', '!engines', ...wanted]);
}

/** Beside the tests, whose start leaves cores idle; what it finds ends them. */
async function test(words: readonly string[], lint?: Started): Promise<void> {
  const tests = start(process.execPath, [VITEST, 'run', ...words], 'inherit');
  const checked = await lint?.ended;
  const isWhole = (checked?.code ?? 0) === 0;
  if (!isWhole) tests.child.kill('SIGINT');
  else process.stdout.write(checked?.said ?? '');
  const { code } = await tests.ended;
  // Last, where it is seen.
  if (!isWhole) process.stdout.write(checked?.said ?? '');
  process.exitCode = isWhole ? code : checked?.code;
}

async function end({ child, ended }: Started, code: number): Promise<void> {
  child.kill();
  await ended;
  process.exitCode = code;
}

interface Started {
  child: ChildProcess;
  /** How it ended, and what it said where that is not shown at once. */
  ended: Promise<{ code: number; said: string }>;
}

function check(step: string): Started {
  return start('npm', ['run', '--silent', step], 'pipe', LEAVING_GARBAGE);
}

function start(
  command: string,
  words: readonly string[],
  out: 'inherit' | 'pipe',
  more: Readonly<Record<string, string>> = {},
): Started {
  const stdio: StdioOptions = ['inherit', out, out];
  const env = { ...process.env, ...more };
  const child = spawn(command, words, {
    cwd: ROOT,
    stdio,
    env,
    shell: IS_WINDOWS && command === 'npm',
  });
  const closed = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  const heard = [child.stdout, child.stderr]
    .filter((stream) => stream !== null)
    .map((stream) => text(stream));
  const ended = async () => ({ said: (await Promise.all(heard)).join(''), code: await closed });
  return { child, ended: ended() };
}
