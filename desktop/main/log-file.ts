import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Notes a line. Never give it what a person typed, a cookie or an address of a page. */
export type Log = (line: string) => void;

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
