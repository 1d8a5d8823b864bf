import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { plantDatabase } from '#test/databases/migrated-image.ts';
import { createPostgresDatabase, sharedPostgres } from '#test/databases/migrated-postgres.ts';
import { freePort } from '#test/processes/free-port.ts';
import { exitOnSignals } from '#test/run/exit-on-signals.ts';

/**
 * `npm run bench:memory [seconds]`: what `npm start` takes of a machine's memory, npm and the sandbox included,
 * on new data with the demo, that long after it is ready (300 s). Ends with 1 above the limit. For less than that its
 * database has been made before, or is one on a server of the starter's, which the demo isn't put into; then nothing is
 * judged but that it lasts.
 *
 * Each page of memory counts once, however many of the processes share it (Linux calls it PSS; other systems
 * don't tell).
 */
const LIMIT_MB = 350;
// A reading goes through every page of their memory.
const EVERY_MS = 1000;
const GONE: ReadonlySet<string> = new Set(['ENOENT', 'ESRCH']);
const USUAL = 300;
const seconds = Number(process.argv[2] ?? USUAL);
const isJudged = seconds >= USUAL;

interface Memory {
  ownMb: number;
  mappedMb: number;
}

const directory = mkdtempSync(join(tmpdir(), 'ovation-memory-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
exitOnSignals();
const shared = isJudged ? undefined : sharedPostgres();
const settings = shared && {
  DATABASE_URL: await createPostgresDatabase(shared.baseUrl),
  APP_SECRET: 'bench-secret-of-more-than-32-characters',
  SANDBOX_DEMO: 'off',
};
if (!isJudged && !shared) await plantDatabase(directory);
const startedAt = performance.now();
const start = spawn('npm', ['start'], {
  env: {
    ...process.env,
    DATA_DIR: directory,
    PORT: String(await freePort()),
    SANDBOX_PORT: String(await freePort()),
    SANDBOX_SMTP_PORT: String(await freePort()),
    ...settings,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
  // A group of its own: npm passes no signal on.
  detached: true,
});
const ended = once(start, 'exit');
// Before its data goes: then nobody has to shut down well.
process.prependOnceListener('exit', () => signal('SIGKILL'));
let output = '';
start.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));

const isRunning = (): boolean => start.exitCode === null && start.signalCode === null;

let readyAt = Infinity;
let peakMb = 0;
let resting = new Map<string, Memory>();
while (performance.now() < readyAt + seconds * 1000 && isRunning()) {
  if (readyAt === Infinity && output.includes('Stop with')) readyAt = performance.now();
  resting = await readTree(start.pid ?? 0);
  peakMb = Math.max(peakMb, sumOf(resting, 'ownMb'));
  await sleep(EVERY_MS);
}
const hasLasted = isRunning();
signal('SIGTERM');
await ended;
while ([...resting.keys()].some((name) => existsSync(`/proc/${name.split(' ').at(-1)}`)))
  await sleep(100);

for (const [name, { ownMb, mappedMb }] of resting) {
  console.log(
    `${name.padEnd(40)} ${ownMb.toFixed(0)} MB (${mappedMb.toFixed(0)} with shared pages)`,
  );
}
const total = sumOf(resting, 'ownMb');
const ready = ((readyAt - startedAt) / 1000).toFixed(1);
console.log(
  `resident after ${seconds} s: ${total.toFixed(0)} MB, at most ${LIMIT_MB} (RSS added up ${sumOf(resting, 'mappedMb').toFixed(0)}, peak ${peakMb.toFixed(0)}), ready after ${ready} s`,
);
const isOver = isJudged && total > LIMIT_MB;
process.exitCode = hasLasted && resting.size > 0 && !isOver ? 0 : 1;

/** Tells the whole group: who ended by itself may have left others of it. */
function signal(name: NodeJS.Signals): void {
  try {
    if (start.pid !== undefined) process.kill(-start.pid, name);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

function sumOf(tree: Map<string, Memory>, field: keyof Memory): number {
  return [...tree.values()].reduce((sum, memory) => sum + memory[field], 0);
}

/** A process and all that it started, by command and number. */
async function readTree(pid: number): Promise<Map<string, Memory>> {
  const folder = `/proc/${pid}`;
  try {
    const rollup = readFileSync(`${folder}/smaps_rollup`, 'utf8');
    const mb = (field: string): number =>
      Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(rollup)?.[1] ?? 0) / 1024;
    const words = readFileSync(`${folder}/cmdline`, 'utf8').split(/[\0 ]+/);
    const name = `${words.findLast((word) => word !== '')} ${pid}`.split('/').at(-1) ?? '';
    const tree = new Map([[name, { ownMb: mb('Pss'), mappedMb: mb('Rss') }]]);
    for (const child of childrenOf(folder)) {
      for (const [each, memory] of await readTree(child)) tree.set(each, memory);
    }
    return tree;
  } catch (error) {
    // A process may end while it is read.
    if (!isGone(error)) throw error;
    return new Map();
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && GONE.has(String(error.code));
}

function childrenOf(folder: string): number[] {
  const path = `${folder}/task/${folder.split('/').at(-1)}/children`;
  return readFileSync(path, 'utf8').split(' ').filter(Boolean).map(Number);
}
