import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { patiently, WAIT_MS } from '../../server/test/patience.ts';
import { SCENARIOS } from './scenarios/table.ts';

/** What an app did before its window showed. */
interface AppStart {
  /** What it read, once each. */
  read: string[];
  /** Calls of the disk that held everything up. */
  heldUp: string[];
}

/**
 * Plays a scenario on a main process without Electron, after the one that comes before it. Rejects, with
 * what was wrong, where the app did something else, or waits for something that can't come.
 */
export async function playScenario(main: string, name: string): Promise<AppStart> {
  const data = await mkdtemp(join(tmpdir(), 'ovation-main-'));
  try {
    const before = SCENARIOS[name]?.after;
    if (before !== undefined) await playOn(data, main, before);
    return await playOn(data, main, name);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

async function playOn(data: string, main: string, name: string): Promise<AppStart> {
  const script = join(import.meta.dirname, 'play-scenario.ts');
  const options = { cwd: join(import.meta.dirname, '../..'), timeout: patiently(WAIT_MS) };
  const played = promisify(execFile)(process.execPath, [script, main, data, name], options);
  return JSON.parse((await played).stdout) as AppStart;
}
