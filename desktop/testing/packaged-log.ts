import { posix, win32 } from 'node:path';
import { PRODUCT_NAME } from '../../shared/domain/product.ts';
import { WINDOW_VISIBLE } from '../main/settings.ts';

/** Where a packaged app writes its log, as Electron's `logs` has it: macOS alone keeps it out of `data`. */
export function logPath(platform: NodeJS.Platform, data: string, home: string): string {
  if (platform === 'darwin') return posix.join(home, 'Library/Logs', PRODUCT_NAME, 'ovation.log');
  return (platform === 'win32' ? win32 : posix).join(data, 'logs', 'ovation.log');
}

/** The lines of one run in a log that may hold earlier ones. `since` is in milliseconds since the epoch. */
export function linesSince(log: string, since: number): string[] {
  return log.split('\n').filter((line) => Date.parse(line.split(' ')[0] ?? '') >= since);
}

export const isInSight = (lines: readonly string[]): boolean =>
  lines.some((line) => line.endsWith(WINDOW_VISIBLE));

interface PackagedRun {
  /** What it logged. */
  lines: readonly string[];
  /** How it ended by itself; undefined: it still runs. */
  ended: string | undefined;
  /** Whether the desktop is one of Wayland. */
  isWayland: boolean;
}

/** Why a start of the packaged app is none that a person would call one; undefined: it is. */
export function startFailure({ lines, ended, isWayland }: PackagedRun): string | undefined {
  if (ended !== undefined) return `It ended by itself: ${ended}.`;
  const [first] = lines;
  if (first === undefined) return 'It wrote no log.';
  const failed = lines.find((line) => / (Not caught|The page ended): /.test(line));
  if (failed !== undefined) return failed;
  if (!isInSight(lines)) return 'No window came into sight.';
  if (isWayland && !first.endsWith(' on wayland')) return `It doesn’t use Wayland: ${first}`;
  return undefined;
}
