import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundled, isEntry } from '../processes/bundled.ts';
import { SHORT_LIVED } from '../processes/process.ts';
import type { ShortForm } from './short-forms.ts';

const ROOT = join(import.meta.dirname, '../../..');

/**
 * Runs the line of package.json with these words, as npm would, with its entry in few files where it is bundled; returns
 * what it printed.
 * @param shared what it need not start itself, in its environment
 * @throws Error with all that it wrote where it ended with another number than 0
 */
export async function playShortForm(
  { command, words }: ShortForm,
  shared: Readonly<Record<string, string>>,
): Promise<string> {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const [program, ...line] = (scripts[command] ?? '').split(' ');
  if (program !== 'node') throw new Error(`npm run ${command} is no line of Node's.`);
  const read = await Promise.all(line.map(async (word) => (isEntry(word) ? bundled(word) : word)));
  const asked = [...SHORT_LIVED, ...read, ...words];
  const { stdout } = await promisify(execFile)(process.execPath, asked, {
    cwd: ROOT,
    env: { ...process.env, ...shared },
  });
  return stdout;
}
