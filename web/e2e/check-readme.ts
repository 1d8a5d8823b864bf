import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect, parseArgs } from 'node:util';
import { DAY_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import { freePort } from '#test/processes/free-port.ts';
import { launchBrowser } from './browser.ts';
import { PacedTime } from './paced-time.ts';
import { playSteps, readSteps } from './readme-steps.ts';

/**
 * `npm run check:readme`: clones what is committed, runs the README's first line there, and plays “Try it” in a real
 * browser: at once, after 15 minutes and after a day, which the product lives through by itself, only faster.
 *
 * `--planted slots`, `posts` or `words`: plants a fault, and ends with 1 unless it is found.
 */
const ROOT = join(import.meta.dirname, '../..');
const DEMO = 'server/sandbox/demo';
/** Faults to find: in this file the one text instead of the other. */
const PLANTED: Readonly<Record<string, readonly [file: string, is: string, becomes: string]>> = {
  /** The account that is left to whoever tries it posts by itself. */
  slots: [`${DEMO}/cast.ts`, 'restHours: Infinity', 'restHours: 0.1'],
  /** The network falls silent once 30 pictures were posted. */
  posts: [`${DEMO}/demo.ts`, 'return base *', 'return posted > 30 ? 20 * 24 * HOUR_MS : base *'],
  /** The README says what nobody has tried. */
  words: ['README.md', 'Click it to see the receipt', 'Click it twice to see the receipt'],
};
const { values } = parseArgs({
  options: { planted: { type: 'string' }, factor: { type: 'string', default: '120' } },
});
const { planted } = values;
if (planted !== undefined && !(planted in PLANTED)) {
  throw new Error(`There is no planted fault "${planted}": ${Object.keys(PLANTED).join(', ')}`);
}
const factor = Number(values.factor);

const startedAt = performance.now();
const directory = mkdtempSync(join(tmpdir(), 'ovation-readme-'));
const clone = join(directory, 'ovation');
const time = new PacedTime(join(directory, 'pace.jsonl'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }));
const fault = await tryClone().catch((error: unknown) => error);
if (fault !== undefined) say(`Not as the README says: ${inspect(fault)}`);
else say(planted === undefined ? 'All as the README says.' : 'The planted fault was not found.');
process.exitCode = (fault === undefined) === (planted === undefined) ? 0 : 1;

async function tryClone(): Promise<void> {
  execFileSync('git', ['clone', '--quiet', ROOT, clone]);
  plant();
  const readme = readFileSync(join(clone, 'README.md'), 'utf8');
  readSteps(readme);
  const command = /^```\n(.+)\n```$/m.exec(readme)?.[1] ?? '';
  say(`a clone of HEAD: ${command}`);
  const started = await start(command);
  const browser = await launchBrowser({ serviceWorkers: 'allow' });
  try {
    const visit = async (nth: number, isLast = false): Promise<void> => {
      say(`visit ${nth}`);
      const open = async () => {
        const context = await browser.newContext({
          viewport: { width: 1440, height: 900 },
          timezoneId: 'UTC',
        });
        await context.clock.install({ time: time.now() });
        return context;
      };
      const now = (): number => time.now();
      await playSteps(readme, { open, nth, isLast, printed: started.printed(), command, now, say });
    };
    await visit(1);
    await time.pass(15 * MINUTE_MS, factor);
    await visit(2);
    await time.pass(DAY_MS, factor);
    await visit(3, true);
  } catch (error) {
    say(`It has printed at last:\n${started.printed().slice(-2000)}`);
    throw error;
  } finally {
    await browser.close();
    await started.stop();
  }
}

function plant(): void {
  const [file, is, becomes] = PLANTED[planted ?? ''] ?? [];
  if (file === undefined || is === undefined || becomes === undefined) return;
  const path = join(clone, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(is)) throw new Error(`There is no “${is}” in ${file} to plant a fault in.`);
  writeFileSync(path, text.replace(is, becomes));
}

interface Started {
  printed: () => string;
  stop: () => Promise<void>;
}

/** Runs the line as it stands, in a shell, without what npm has told us. Resolves once it says that it is there. */
async function start(command: string): Promise<Started> {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm|node)_/i.test(name));
  const ports = ['PORT', 'SANDBOX_PORT', 'SANDBOX_SMTP_PORT'];
  const free: Array<[string, string]> = [];
  for (const name of ports) free.push([name, String(await freePort())]);
  const path = (process.env['PATH'] ?? '')
    .split(':')
    .filter((each) => !each.includes('/node_modules/'));
  const child = spawn(command, {
    cwd: clone,
    shell: true,
    // A group of its own, so that what it has started ends with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries([...own, ...free]),
      PATH: path.join(':'),
      NODE_OPTIONS: time.nodeOptions,
    },
  });
  const { pid } = child;
  const end = (signal: NodeJS.Signals): void => {
    const isRunning = child.exitCode === null && child.signalCode === null;
    if (pid !== undefined && isRunning) process.kill(-pid, signal);
  };
  process.prependOnceListener('exit', () => end('SIGKILL'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  let text = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const isThere = new Promise<void>((resolve) => {
    const hear = (chunk: Buffer): void => {
      text += chunk.toString();
      if (text.includes('Stop with Ctrl+C')) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
  });
  await Promise.race([
    isThere,
    ended.then(() => {
      throw new Error(`The start has ended:\n${text}`);
    }),
  ]);
  return {
    printed: () => text,
    stop: async () => {
      end('SIGINT');
      await ended;
    },
  };
}

function say(what: string): void {
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0).padStart(4);
  const theirTime = new Date(time.now()).toISOString().slice(0, 16);
  process.stdout.write(`${seconds} s  ${theirTime}  ${what}\n`);
}
