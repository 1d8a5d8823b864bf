import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { SystemNotice } from '#shared/platform.ts';
import { parseAddress } from './server.ts';
import type { KeepFailure } from './session.ts';

const pixels = v.pipe(v.number(), v.integer(), v.minValue(-100_000), v.maxValue(100_000));

/** The same rule as when it was typed: what stands in a file may have been written by anybody. */
function isServer(text: string): boolean {
  const address = parseAddress(text);
  return address.kind === 'origin' && address.server === text;
}

/**
 * What the app remembers on this machine. Nothing secret: the session is in the keyring's file. A
 * value that is none is forgotten alone.
 */
const Settings = v.object({
  /** Origin of the server, "https://ovation.example". */
  server: v.fallback(v.optional(v.pipe(v.string(), v.check(isServer))), undefined),
  place: v.fallback(
    v.optional(
      v.object({ x: pixels, y: pixels, width: pixels, height: pixels, isMaximized: v.boolean() }),
    ),
    undefined,
  ),
  /** Whether the app goes on when its window is closed; it does where nothing is said. */
  keepsRunning: v.fallback(v.optional(v.boolean()), undefined),
  /** What the person was told once and needs to be told no more; a newer version tells of more. */
  told: v.fallback(v.optional(v.array(v.string())), undefined),
});
export type DesktopSettings = v.InferOutput<typeof Settings>;

export interface SettingsFile {
  read(): DesktopSettings;
  /**
   * Changes what is remembered. It is on the disk when this returns, because the app may be about to
   * end; throws when it can't be written, and then nothing has changed. All else stays in the file as it
   * was: a newer version may have written it, and be back tomorrow.
   */
  change(part: Partial<DesktopSettings>): void;
}

/** A choice of the person's that is kept on this computer. */
export interface Choice {
  read(): boolean;
  set(isOn: boolean): void;
}

/** Opens the file; one that is missing or damaged starts empty, as on the first day. */
export async function openSettingsFile(path: string): Promise<SettingsFile> {
  let file = await readObject(path);
  let settings: DesktopSettings = v.parse(Settings, file);
  return {
    read: () => settings,
    change: (part) => {
      const changed = { ...file, ...part };
      mkdirSync(dirname(path), { recursive: true });
      // A crash in the middle of a write must not leave half a file.
      writeFileSync(`${path}.new`, JSON.stringify(changed));
      renameSync(`${path}.new`, path);
      file = changed;
      settings = { ...settings, ...part };
    },
  };
}

async function readObject(path: string): Promise<Record<string, unknown>> {
  try {
    return v.parse(v.record(v.string(), v.unknown()), JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return {};
  }
}

function proxyProblems(log: Log, found: Set<string>) {
  return {
    /** A log-in for a proxy ends with the app though it was to be kept. */
    proxyLoginNotKept: (error: unknown): void => {
      log(`The proxy's log-in could not be kept: ${String(error)}`);
      found.add(
        'You’ll be asked for your network’s proxy login at each start, because it couldn’t be saved.',
      );
    },
    /** The network's proxy wants a log-in that this app can't do. */
    unknownProxyLogin: (proxy: string): void => {
      log(`The proxy ${proxy} wants a log-in other than a name and a password`);
      found.add(
        'Your network’s proxy wants a kind of login this app doesn’t support. Its administrator can allow one with a name and password.',
      );
    },
  };
}

type Told = 'no_tray' | 'no_keyring';

export type Problems = ReturnType<typeof createProblems>;

/** What this computer doesn't let the app do: in the log, in the settings, and some of it told once, ever. */
export function createProblems(settings: SettingsFile, log: Log, revealLogs: () => void) {
  const found = new Set<string>();
  let waiting: SystemNotice[] = [];
  let notify = (notice: SystemNotice): void => void waiting.push(notice);
  const tellOnce = (name: Told, notice: SystemNotice): void => {
    const { told = [] } = settings.read();
    if (told.includes(name)) return;
    notify(notice);
    try {
      settings.change({ told: [...told, name] });
    } catch (error) {
      log(`What was told could not be kept: ${String(error)}`);
    }
  };
  return {
    /** A sentence each. */
    list: (): readonly string[] => [...found],
    revealLogs,
    /** The session ends with the app though it was to be kept. */
    sessionNotKept: (failure: KeepFailure): void => {
      if (failure.kind === 'failed') {
        log(`The session could not be kept: ${String(failure.error)}`);
        found.add('“Keep Me Signed in” doesn’t work here: the session couldn’t be saved.');
        return;
      }
      log('The session is not kept: there is no keyring');
      found.add('“Keep Me Signed in” doesn’t work here: this computer has no keyring set up.');
      tellOnce('no_keyring', {
        title: `${PRODUCT_NAME} will ask you to log in again`,
        body: 'This computer has no keyring set up, so you’ll be logged out when you quit the app.',
        path: '/my-settings',
      });
    },
    /** The system shows no notices of this app. */
    noNotices: (reason: string): void => {
      log(`The system shows no notices: ${reason}`);
      found.add(
        'Notifications aren’t shown. Your system only allows them for signed apps that you’ve permitted.',
      );
    },
    /** The person closed the window, and no tray shows that the app goes on. */
    noTray: (): void => {
      log('The window was closed where no tray is shown');
      tellOnce('no_tray', {
        title: `${PRODUCT_NAME} keeps running`,
        body: `This desktop has no tray. To see the window, start ${PRODUCT_NAME} again. To stop it, choose Quit in the File menu.`,
        path: '/dashboard',
      });
    },
    ...proxyProblems(log, found),
    /** How it is told; what came up before is told now. */
    tellBy: (tell: (notice: SystemNotice) => void): void => {
      notify = tell;
      for (const notice of waiting) tell(notice);
      waiting = [];
    },
  };
}

/** Logs a line. Never give it what a person typed, a cookie or an address of a page. */
export type Log = (line: string) => void;

/** What the log says when a window comes up; `desktop/e2e/start-packaged.ts` waits for it. */
export const WINDOW_VISIBLE = 'The window is in sight';

/** The one before is kept beside it: both take twice as much. */
const LARGEST_BYTES = 1_000_000;

/**
 * The app's log: a file that grows to 1 MB and then begins anew. Packaged apps have no terminal to write
 * to. Lines keep their order; what the disk doesn't take is lost, and nothing waits for it.
 */
export function openLogFile(
  path: string,
  now: () => number,
): Log & { written: () => Promise<void> } {
  let last: Promise<unknown> = mkdir(dirname(path), { recursive: true }).catch(() => undefined);
  const write = async (text: string): Promise<void> => {
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    if (size + text.length > LARGEST_BYTES) await rename(path, `${path}.old`);
    await appendFile(path, text, { mode: 0o600 });
  };
  const log = (line: string): void => {
    const at = new Date(now()).toISOString();
    const text = `${at} ${line.replaceAll(/\s*\n\s*/g, ' | ').slice(0, 2000)}\n`;
    last = last.then(() => write(text)).catch(() => undefined);
  };
  return Object.assign(log, { written: () => last.then(() => undefined) });
}

/**
 * Whether a lock can be made in a folder. Tried, as rights tell nothing of Windows' lists; with an empty
 * file, which like the lock itself often finds room on a full disk.
 */
export function mayHoldLock(folder: string): boolean {
  const path = join(folder, `try-${process.pid}`);
  try {
    writeFileSync(path, '');
    rmSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * The start at log-in on Linux: an entry in the desktop's folder of programs to start
 * (specifications.freedesktop.org/autostart-spec). `configFolder`: `$XDG_CONFIG_HOME`. `command`: the
 * program and its arguments. Writing throws when the folder can't be written.
 */
export function createAutostart(configFolder: string, command: readonly string[]): Choice {
  const path = join(configFolder, 'autostart', 'ovation.desktop');
  return {
    read: () => isOn(path),
    set: (wanted) => {
      if (!wanted) return rmSync(path, { force: true });
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, entry(command));
    },
  };
}

/** Given to a start at log-in: the window stays out of sight until it is asked for. */
export const HIDDEN_ARGUMENT = '--hidden';

/**
 * What starts the app again at a log-in. An AppImage runs from a folder that is gone after it, so its own file does;
 * the variables that name both may also be those of another one, which started this app. `folder`: of
 * the sources, if the app runs from them.
 */
export function startCommand(
  execPath: string,
  { APPIMAGE, APPDIR }: NodeJS.ProcessEnv,
  folder: string | undefined,
): string[] {
  const isIn = APPDIR !== undefined && execPath.startsWith(`${APPDIR}/`);
  const program = isIn && APPIMAGE !== undefined ? APPIMAGE : execPath;
  return [program, ...(folder === undefined ? [] : [folder]), HIDDEN_ARGUMENT];
}

function entry(command: readonly string[]): string {
  const lines = [
    '[Desktop Entry]',
    'Type=Application',
    `Name=${PRODUCT_NAME}`,
    `Exec=${command.map(quote).join(' ')}`,
    'Terminal=false',
  ];
  return `${lines.join('\n')}\n`;
}

/** As the desktop entry specification asks for: the value's backslashes are read first, then the quotes. */
function quote(argument: string): string {
  const quoted = argument.replaceAll(/["`$\\]/g, String.raw`\$&`).replaceAll('%', '%%');
  return `"${quoted}"`.replaceAll('\\', String.raw`\\`);
}

/** Desktops turn an entry off by marking it, where they don't remove it. */
function isOn(path: string): boolean {
  try {
    const text = readFileSync(path, 'utf8');
    return !/^(?:Hidden\s*=\s*true|X-GNOME-Autostart-enabled\s*=\s*false)\s*$/m.test(text);
  } catch {
    return false;
  }
}
