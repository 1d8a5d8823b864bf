import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** What an app did on a false Electron, from its start to its end, and what it left on the disk. */
export interface AppRun {
  facts: Record<string, unknown>;
  settings: unknown;
}

/** Starts a main process without Electron: one that waits for something that can't come fails. */
export async function runMain(main: string): Promise<AppRun> {
  const data = await mkdtemp(join(tmpdir(), 'ovation-main-'));
  try {
    const script = join(import.meta.dirname, 'with-fake-electron.ts');
    const { stdout } = await promisify(execFile)(process.execPath, [script, main, data], {
      cwd: join(import.meta.dirname, '../..'),
      timeout: 50_000,
    });
    return {
      facts: JSON.parse(stdout) as Record<string, unknown>,
      settings: JSON.parse(await readFile(join(data, 'settings.json'), 'utf8')),
    };
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}
