import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const ELECTRON = join(import.meta.dirname, '../../node_modules/electron');
const FETCH_MS = 60_000;

/** Whether the app itself can be started on this machine, and how. */
type ElectronHere =
  | { kind: 'here'; binary: string; screen: 'own' | 'virtual' }
  | { kind: 'missing'; why: 'no Electron binary' | 'no display' };

export interface Machine {
  /** Path of the binary, where it has been fetched. */
  binary(): string | undefined;
  /** Fetches it as `npm run desktop` does; throws when it can't be had. */
  fetchBinary(): Promise<void>;
  hasScreen(): boolean;
  hasVirtualScreen(): boolean;
}

/** Looks for Electron, and where it isn't there yet tries to fetch it, once. */
export async function findElectron(machine: Machine = THIS_MACHINE): Promise<ElectronHere> {
  if (machine.binary() === undefined) await machine.fetchBinary().catch(() => undefined);
  const binary = machine.binary();
  if (binary === undefined) return { kind: 'missing', why: 'no Electron binary' };
  if (machine.hasScreen()) return { kind: 'here', binary, screen: 'own' };
  if (machine.hasVirtualScreen()) return { kind: 'here', binary, screen: 'virtual' };
  return { kind: 'missing', why: 'no display' };
}

const THIS_MACHINE: Machine = {
  binary: () =>
    ['electron', 'electron.exe', 'Electron.app/Contents/MacOS/Electron']
      .map((name) => join(ELECTRON, 'dist', name))
      .find((path) => existsSync(path)),
  fetchBinary: async () => {
    await promisify(execFile)(process.execPath, [join(ELECTRON, 'install.js')], {
      timeout: FETCH_MS,
    });
  },
  hasScreen: () =>
    process.platform !== 'linux' ||
    [process.env['DISPLAY'], process.env['WAYLAND_DISPLAY']].some(Boolean),
  hasVirtualScreen: () => spawnSync('xvfb-run', ['--help']).status === 0,
};

/** A screen that nobody sees. */
export interface VirtualScreen {
  /** What a program is started with to show itself there. */
  env: { DISPLAY: string; XAUTHORITY: string };
  stop(): Promise<void>;
}

/** Opens one through `xvfb-run`, which keeps it until its own program ends; `cat` ends with this process. */
export async function openVirtualScreen(run = 'xvfb-run'): Promise<VirtualScreen> {
  const script = 'echo "$DISPLAY"; echo "$XAUTHORITY"; exec cat';
  const child = spawn(run, ['-a', 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const [display, authority] = [await lines.next(), await lines.next()];
  if (display.done || authority.done) throw new Error(`${run} opened no screen`);
  return {
    env: { DISPLAY: display.value, XAUTHORITY: authority.value },
    stop: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
