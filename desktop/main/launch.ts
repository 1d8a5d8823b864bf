import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { AppWindow } from './app-window.ts';
import type { Choice } from './shell-requests.ts';

/** What Windows knows the app by: its notices and its place on the task bar need the packages' own name. */
export const APP_ID = 'app.ovation.desktop';

/** What Windows calls when somebody clicks a notice, also one of the run before: any id, for ever the same. */
export const NOTICE_CLASS = '{0f3a6f8e-54d1-4c0e-9a43-6d1f2b7c9e15}';

export const LINK_SCHEME = 'ovation';

/** The screens a link may open; everything else about a link is ignored. */
const SCREENS: ReadonlyMap<string, string> = new Map([
  ['dashboard', '/dashboard'],
  ['settings', '/my-settings'],
  ['billing', '/my-billing'],
  ['subscriptions', '/my-subscriptions'],
]);

/** Whatever page a browser shows may hand one over. */
const LONGEST_LINK = 2000;

/** What the system offers at the app's icon: there already before the app runs. */
export const QUICK_SCREENS = [
  { title: 'Dashboard', link: 'dashboard', path: '/dashboard' },
  { title: 'Billing', link: 'billing', path: '/my-billing' },
] as const;

/** The path a link of ours opens ("ovation://post/123"), or undefined for one that is none. */
export function pathOfLink(link: string): string | undefined {
  if (link.length > LONGEST_LINK || !URL.canParse(link)) return undefined;
  const { protocol, host, pathname } = new URL(link);
  if (protocol !== `${LINK_SCHEME}:`) return undefined;
  // A scheme of one's own has no host in the sense of the web: its letters stay as they were typed.
  const screen = host.toLowerCase();
  if (screen === 'post') {
    const post = /^\/(\d{1,32})\/?$/.exec(pathname)?.[1];
    return post === undefined ? undefined : `/dashboard?${new URLSearchParams({ post })}`;
  }
  return pathname === '' || pathname === '/' ? SCREENS.get(screen) : undefined;
}

/** A second start is given its link among the arguments. */
export function linkAmong(args: readonly string[]): string | undefined {
  return args.find((arg) => arg.toLowerCase().startsWith(`${LINK_SCHEME}://`));
}

/** The part of Electron's `app` that is needed. */
export interface LinkSource {
  on(event: 'second-instance', listener: (event: unknown, args: string[]) => void): unknown;
  on(
    event: 'open-url',
    listener: (event: { preventDefault(): void }, link: string) => void,
  ): unknown;
}

type Shown = Pick<AppWindow, 'show' | 'command'>;

/**
 * Listens at once for links and second starts: macOS tells the link that started the app before the
 * app is ready. The answer opens the window, and in it what was asked for last.
 */
export function followLinks(app: LinkSource, ownArgs: readonly string[]): (window: Shown) => void {
  let window: Shown | undefined;
  let asked = linkAmong(ownArgs);
  const follow = (link: string | undefined): void => {
    asked = link ?? asked;
    if (!window) return;
    const path = asked === undefined ? undefined : pathOfLink(asked);
    asked = undefined;
    window.show();
    if (path !== undefined) window.command({ kind: 'open', path });
  };
  app.on('second-instance', (_event, args) => follow(linkAmong(args)));
  app.on('open-url', (event, link) => {
    event.preventDefault();
    follow(link);
  });
  return (opened) => {
    window = opened;
    follow(undefined);
  };
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
