import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * `npm test`: format, lint, types, build, then every test. `npm test -- path ...`: the named files alone,
 * with a build only where one of them needs it.
 */
const ROOT = join(import.meta.dirname, '../../..');
const wanted = process.argv.slice(2);
const STEPS = ['lint', 'typecheck', 'build'];

/** Browser specs open the built pages, and the weights of routes are read off the build. */
const needsBuild = (path: string): boolean =>
  /\.spec\b|route-sizes/.test(path) || !/\.test\.tsx?$/.test(path);

const steps = wanted.length === 0 ? STEPS : wanted.some(needsBuild) ? ['build'] : [];
for (const step of steps) run('npm', ['run', '--silent', step]);
run('npx', ['vitest', 'run', ...wanted]);

/** Ends this process with the command's code where it fails. */
function run(command: string, words: readonly string[]): void {
  const { status } = spawnSync(command, words, {
    cwd: ROOT,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
