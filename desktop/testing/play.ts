import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
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
 * Plays scenarios on a main process without Electron, each once and after the one that comes before it, with a copy
 * of the folder that one left. Rejects, with what was wrong, where the app did something else, or waits for something
 * that can't come. The folders go with `remove`.
 */
export function openStage(main: string) {
  const folders: string[] = [];
  const played = new Map<string, Promise<{ data: string; start: AppStart }>>();
  const playAnew = async (name: string): Promise<{ data: string; start: AppStart }> => {
    const data = await mkdtemp(join(tmpdir(), 'ovation-main-'));
    folders.push(data);
    const before = SCENARIOS[name]?.after;
    if (before !== undefined) await cp((await play(before)).data, data, { recursive: true });
    return { data, start: await playOn(data, main, name) };
  };
  const play = (name: string): Promise<{ data: string; start: AppStart }> => {
    const known = played.get(name) ?? playAnew(name);
    played.set(name, known);
    return known;
  };
  return {
    play: async (name: string): Promise<AppStart> => (await play(name)).start,
    remove: async (): Promise<void> => {
      for (const data of folders) await rm(data, { recursive: true, force: true });
    },
  };
}

/** Plays one scenario alone. */
export async function playScenario(main: string, name: string): Promise<AppStart> {
  const stage = openStage(main);
  try {
    return await stage.play(name);
  } finally {
    await stage.remove();
  }
}

async function playOn(data: string, main: string, name: string): Promise<AppStart> {
  const script = join(import.meta.dirname, 'play-scenario.ts');
  const options = { cwd: join(import.meta.dirname, '../..'), timeout: patiently(WAIT_MS) };
  const played = promisify(execFile)(process.execPath, [script, main, data, name], options);
  return JSON.parse((await played).stdout) as AppStart;
}
