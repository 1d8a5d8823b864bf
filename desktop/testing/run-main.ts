import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { World } from './fake-world.ts';

/** What an app did on a false Electron, from its start to its end, and what it left on the disk. */
export interface AppRun {
  facts: Record<string, unknown>;
  /** Undefined where none were written. */
  settings: unknown;
}

const USUAL: World = {
  life: 'first start',
  platform: 'linux',
  keyring: 'none',
  hasLock: true,
  isPackaged: false,
  updateUrl: undefined,
  updateLie: 'none',
  isReadOnly: false,
  isAtLogin: false,
  hasTray: true,
  isBroken: false,
  takesLinks: true,
  diskFailure: undefined,
};

/** Starts a main process without Electron: one that waits for something that can't come fails. */
export async function runMain(main: string, world: Partial<World> = {}): Promise<AppRun> {
  const [run] = await runTimes(main, [world]);
  if (!run) throw new Error('The app did not run');
  return run;
}

/** Starts a main process some times, one after another, on the same machine. */
export async function runTimes(main: string, worlds: Partial<World>[]): Promise<AppRun[]> {
  const data = await mkdtemp(join(tmpdir(), 'ovation-main-'));
  try {
    const runs: AppRun[] = [];
    for (const world of worlds) runs.push(await runOn(data, main, { ...USUAL, ...world }));
    return runs;
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

async function runOn(data: string, main: string, world: World): Promise<AppRun> {
  const script = join(import.meta.dirname, 'with-fake-electron.ts');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [script, main, data, JSON.stringify(world)],
    { cwd: join(import.meta.dirname, '../..'), timeout: 50_000 },
  );
  const settings = await readFile(join(data, 'settings.json'), 'utf8').catch(() => undefined);
  return {
    facts: JSON.parse(stdout) as Record<string, unknown>,
    settings: settings === undefined ? undefined : JSON.parse(settings),
  };
}
