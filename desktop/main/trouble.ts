import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { Notice } from '#shared/platform.ts';
import type { KeepFailure } from './session.ts';
import type { SettingsFile } from './settings-file.ts';
import type { Support } from './shell-requests.ts';

/** What this computer doesn't let the app do: in the log, in the settings, and some of it told once, ever. */
export interface Trouble extends Support {
  /** The session ends with the app though it was to be kept. */
  notKept: (failure: KeepFailure) => void;
  /** The system shows no notices of this app. */
  noNotices: (reason: string) => void;
  /** The person closed the window, and no tray shows that the app goes on. */
  noTray: () => void;
  /** A log-in for a proxy ends with the app though it was to be kept. */
  proxyLoginNotKept: (error: unknown) => void;
  /** The network's proxy wants a log-in that this app can't do. */
  unknownProxyLogin: (proxy: string) => void;
  /** How it is told; what came up before is told now. */
  tellBy: (notify: (notice: Notice) => void) => void;
}

type Told = 'no_tray' | 'no_keyring';

export function createTrouble(settings: SettingsFile, log: Log, revealLogs: () => void): Trouble {
  const problems = new Set<string>();
  let waiting: Notice[] = [];
  let notify = (notice: Notice): void => void waiting.push(notice);
  const tellOnce = (name: Told, notice: Notice): void => {
    const { told = [] } = settings.read();
    if (told.includes(name)) return;
    notify(notice);
    try {
      settings.change({ told: [...told, name] });
    } catch (error) {
      log(`What was told could not be noted: ${String(error)}`);
    }
  };
  return {
    problems: () => [...problems],
    revealLogs,
    notKept: (failure) => {
      if (failure.kind === 'failed') {
        log(`The session could not be kept: ${String(failure.error)}`);
        problems.add('“Keep Me Signed in” doesn’t work here: the session couldn’t be saved.');
        return;
      }
      log('The session is not kept: there is no keyring');
      problems.add('“Keep Me Signed in” doesn’t work here: this computer has no keyring set up.');
      tellOnce('no_keyring', {
        title: `${PRODUCT_NAME} will ask you to log in again`,
        body: 'This computer has no keyring set up, so you’ll be logged out when you quit the app.',
        path: '/my-settings',
      });
    },
    noNotices: (reason) => {
      log(`The system shows no notices: ${reason}`);
      problems.add(
        'Notifications aren’t shown. Your system only allows them for signed apps that you’ve permitted.',
      );
    },
    noTray: () => {
      log('The window was closed where no tray is shown');
      tellOnce('no_tray', {
        title: `${PRODUCT_NAME} keeps running`,
        body: `This desktop has no tray. To see the window, start ${PRODUCT_NAME} again. To stop it, choose Quit in the File menu.`,
        path: '/dashboard',
      });
    },
    ...proxyTrouble(log, (problem) => void problems.add(problem)),
    tellBy: (tell) => {
      notify = tell;
      for (const notice of waiting) tell(notice);
      waiting = [];
    },
  };
}

function proxyTrouble(
  log: Log,
  add: (problem: string) => void,
): Pick<Trouble, 'proxyLoginNotKept' | 'unknownProxyLogin'> {
  return {
    proxyLoginNotKept: (error) => {
      log(`The proxy's log-in could not be kept: ${String(error)}`);
      add(
        'You’ll be asked for your network’s proxy login at each start, because it couldn’t be saved.',
      );
    },
    unknownProxyLogin: (proxy) => {
      log(`The proxy ${proxy} wants a log-in other than a name and a password`);
      add(
        'Your network’s proxy wants a kind of login this app doesn’t support. Its administrator can allow one with a name and password.',
      );
    },
  };
}

/** Notes a line. Never give it what a person typed, a cookie or an address of a page. */
export type Log = (line: string) => void;

/** What the log says when a window comes up; `desktop/e2e/start-packaged.ts` waits for it. */
export const IN_SIGHT = 'The window is in sight';

/** The one before is kept beside it, so that this much twice is the most it takes. */
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
