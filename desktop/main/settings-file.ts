import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as v from 'valibot';

/** What the app remembers on this machine. Nothing secret: the session is in the keyring's vault. */
const Settings = v.object({
  /** Origin of the server, "https://ovation.example". */
  server: v.optional(v.string()),
  place: v.optional(
    v.object({
      x: v.number(),
      y: v.number(),
      width: v.number(),
      height: v.number(),
      isMaximized: v.boolean(),
    }),
  ),
});
export type DesktopSettings = v.InferOutput<typeof Settings>;

export interface SettingsFile {
  read(): DesktopSettings;
  /** Resolves once the change is on the disk; changes are written one after another. */
  change(part: Partial<DesktopSettings>): Promise<void>;
}

/** Opens the file; one that is missing or damaged starts empty, as on the first day. */
export async function openSettingsFile(path: string): Promise<SettingsFile> {
  let settings = await readSettings(path);
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    // A crash in the middle of a write must not leave half a file.
    await writeFile(`${path}.new`, JSON.stringify(settings));
    await rename(`${path}.new`, path);
  };
  return {
    read: () => settings,
    change: (part) => {
      settings = { ...settings, ...part };
      writing = writing.then(write, write);
      return writing;
    },
  };
}

async function readSettings(path: string): Promise<DesktopSettings> {
  try {
    const parsed = v.safeParse(Settings, JSON.parse(await readFile(path, 'utf8')));
    return parsed.success ? parsed.output : {};
  } catch {
    return {};
  }
}
