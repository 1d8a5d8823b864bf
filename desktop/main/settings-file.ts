import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';
import { parseAddress } from './server-choice.ts';

const pixels = v.pipe(v.number(), v.integer(), v.minValue(-100_000), v.maxValue(100_000));

/** The same rule as when it was typed: what stands in a file may have been written by anybody. */
function isServer(text: string): boolean {
  const address = parseAddress(text);
  return address.kind === 'origin' && address.server === text;
}

/**
 * What the app remembers on this machine. Nothing secret: the session is in the keyring's vault. A
 * value that is none is forgotten alone.
 */
const Settings = v.object({
  /** Origin of the server, "https://ovation.example". */
  server: v.fallback(v.optional(v.pipe(v.string(), v.check(isServer))), undefined),
  place: v.fallback(
    v.optional(
      v.object({ x: pixels, y: pixels, width: pixels, height: pixels, isMaximized: v.boolean() }),
    ),
    undefined,
  ),
  /** Whether the app goes on when its window is closed; it does where nothing is said. */
  keepsRunning: v.fallback(v.optional(v.boolean()), undefined),
  /** What the person was told once and needs to be told no more; a newer version tells of more. */
  told: v.fallback(v.optional(v.array(v.string())), undefined),
});
export type DesktopSettings = v.InferOutput<typeof Settings>;

export interface SettingsFile {
  read(): DesktopSettings;
  /**
   * Changes what is remembered. It is on the disk when this returns, because the app may be about to
   * end; throws when it can't be written, and then nothing has changed. All else stays in the file as it
   * was: a newer version may have written it, and be back tomorrow.
   */
  change(part: Partial<DesktopSettings>): void;
}

/** Opens the file; one that is missing or damaged starts empty, as on the first day. */
export async function openSettingsFile(path: string): Promise<SettingsFile> {
  let file = await readObject(path);
  let settings: DesktopSettings = v.parse(Settings, file);
  return {
    read: () => settings,
    change: (part) => {
      const changed = { ...file, ...part };
      mkdirSync(dirname(path), { recursive: true });
      // A crash in the middle of a write must not leave half a file.
      writeFileSync(`${path}.new`, JSON.stringify(changed));
      renameSync(`${path}.new`, path);
      file = changed;
      settings = { ...settings, ...part };
    },
  };
}

async function readObject(path: string): Promise<Record<string, unknown>> {
  try {
    return v.parse(v.record(v.string(), v.unknown()), JSON.parse(await readFile(path, 'utf8')));
  } catch {
    return {};
  }
}
