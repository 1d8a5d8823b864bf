import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { Choice } from './shell-requests.ts';

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
