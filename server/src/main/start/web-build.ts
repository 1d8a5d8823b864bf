import { spawn } from 'node:child_process';
import { globSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { oneAtATime } from '#server/kit/file-lock.ts';
import { StartError } from '#server/kit/start-error.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const BUILT = join(ROOT, 'web/dist/index.html');
/** git ignores it. */
const LOCK = join(ROOT, 'out/web-build.lock');
const SOURCES = ['web/{src,public}/**/*', 'web/*.{html,ts}', 'shared/**/*.ts', 'package-lock.json'];
/** Of these, tests and what they share are in no build. */
const NOT_BUILT = /\.test\.tsx?$|[\\/]testing[\\/]/;
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');

/**
 * Builds the web app unless the last build is newer than every source. One start at a time: a build of two would be
 * half of each.
 */
export async function buildWeb(): Promise<void> {
  mkdirSync(dirname(LOCK), { recursive: true });
  await oneAtATime(LOCK, {
    work: buildUnlessNew,
    onWait: () =>
      process.stdout.write('  web app   waiting: another start in this folder builds it\n'),
  });
}

async function buildUnlessNew(): Promise<void> {
  const sources = globSync(SOURCES, { cwd: ROOT }).filter((file) => !NOT_BUILT.test(file));
  if (changedAt([BUILT]) > changedAt(sources.map((file) => join(ROOT, file)))) return;
  const output: Buffer[] = [];
  const vite = spawn(process.execPath, [VITE, 'build', '--config', 'web/vite.config.ts'], {
    cwd: ROOT,
    // A build says by this variable whom it is for: anything else brings what only developers need.
    env: { ...process.env, NODE_ENV: 'production' },
  });
  vite.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  vite.stderr.on('data', (chunk: Buffer) => output.push(chunk));
  const code = await new Promise((resolve, reject) => {
    vite.once('error', reject);
    vite.once('close', resolve);
  });
  if (code === 0) return;
  process.stderr.write(Buffer.concat(output));
  throw new StartError('The web app couldn’t be built. See the lines above.');
}

/** When the newest of these files changed; 0 when one is missing. */
function changedAt(files: string[]): number {
  const times = files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return times.includes(0) ? 0 : Math.max(0, ...times);
}
