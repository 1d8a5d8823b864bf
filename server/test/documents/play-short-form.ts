import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ShortForm } from './short-forms.ts';

const ROOT = join(import.meta.dirname, '../../..');

/**
 * Runs the line of package.json with these words, as npm would, and returns what it printed.
 * @throws Error with all that it wrote where it ended with another number than 0
 */
export async function playShortForm({ command, words }: ShortForm): Promise<string> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [program, ...line] = (scripts[command] ?? '').split(' ');
  if (program !== 'node') throw new Error(`npm run ${command} is no line of Node's.`);
  const { stdout } = await promisify(execFile)(process.execPath, [...line, ...words], {
    cwd: ROOT,
  });
  return stdout;
}
