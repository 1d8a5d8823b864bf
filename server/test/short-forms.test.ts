import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { SHORT_FORMS } from './short-forms.ts';

const ROOT = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};

/** The script's own words after `node`, without what npm would add to a start. */
function commandLine(name: string, words: readonly string[]): string[] {
  const [program, ...line] = (scripts[name] ?? '').split(' ');
  expect(program).toBe('node');
  return [...line, ...words];
}

test.each(SHORT_FORMS)(
  'the command $command works: its short form ends with 0 and prints its result',
  async ({ command, words, prints }) => {
    const line = commandLine(command, words);
    // What ends with another number than 0 is rejected, with all that it wrote.
    const { stdout } = await promisify(execFile)(process.execPath, line, { cwd: ROOT });
    expect(stdout).toMatch(prints);
  },
  180_000,
);
