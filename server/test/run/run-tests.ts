import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { buildWeb } from '#server/start/web-build.ts';

/**
 * `npm test`: format, lint, types, build, then every test. `npm test -- path ...`: the named files alone,
 * with a build only where one of them needs it and a source is newer than the last one.
 */
const ROOT = join(import.meta.dirname, '../../..');
const wanted = process.argv.slice(2);
const STEPS = ['lint', 'typecheck', 'build'];

/** Browser specs open the built pages, and the weights of routes are read off the build. */
const needsBuild = (path: string): boolean =>
  /\.spec\b|route-sizes/.test(path) || !/\.test\.tsx?$/.test(path);

if (wanted.length === 0) for (const step of STEPS) run('npm', ['run', '--silent', step]);
else if (wanted.some(needsBuild)) await buildWeb();
// Named files run on both engines.
run('npx', ['vitest', 'run', '--project', wanted.length === 0 ? '!pglite' : '!engines', ...wanted]);

/** Ends this process with the command's code where it fails. */
function run(command: string, words: readonly string[]): void {
  const { status } = spawnSync(command, words, {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
