import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'desktop/release-notes.md';

/**
 * What is new in the version of a project, in plain words, as its users read it before they update: the text below
 * the version in the file of release notes.
 * @throws in one sentence when they are missing, empty, or of another version
 */
export function readReleaseNotes(projectDir: string): string {
  const read = (name: string): string => readFileSync(join(projectDir, name), 'utf8');
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const text = existsSync(join(projectDir, FILE)) ? read(FILE) : '';
  const [heading, ...lines] = text.trim().split('\n');
  const notes = lines.join('\n').trim();
  if (heading?.trim() === `# ${version}` && notes !== '') return notes;
  throw new Error(`${FILE} must say what is new in this version: "# ${version}", then the text.`);
}
