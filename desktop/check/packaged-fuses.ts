import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';

const NAMES: ReadonlyArray<[name: string, fuse: FuseV1Options]> = [
  ['runAsNode', FuseV1Options.RunAsNode],
  ['enableCookieEncryption', FuseV1Options.EnableCookieEncryption],
  ['enableNodeOptionsEnvironmentVariable', FuseV1Options.EnableNodeOptionsEnvironmentVariable],
  ['enableNodeCliInspectArguments', FuseV1Options.EnableNodeCliInspectArguments],
  ['enableEmbeddedAsarIntegrityValidation', FuseV1Options.EnableEmbeddedAsarIntegrityValidation],
  ['onlyLoadAppFromAsar', FuseV1Options.OnlyLoadAppFromAsar],
  ['grantFileProtocolExtraPrivileges', FuseV1Options.GrantFileProtocolExtraPrivileges],
];

/**
 * The fuses burnt into the packaged app below a folder ("linux-unpacked", "win-unpacked", "mac"), or
 * undefined where there is no such app.
 */
export async function readPackagedFuses(
  packages: string,
): Promise<Record<string, boolean> | undefined> {
  for (const file of await candidates(packages)) {
    try {
      const wire = await getCurrentFuseWire(file);
      return Object.fromEntries(
        NAMES.map(([name, fuse]) => [name, wire[fuse] === FuseState.ENABLE]),
      );
    } catch {
      // One of the other files beside the app: it has no fuses.
    }
  }
  return undefined;
}

async function candidates(packages: string): Promise<string[]> {
  const folders = (await filesIn(packages)).filter(
    (name) => name.endsWith('-unpacked') || name.startsWith('mac'),
  );
  const files = await Promise.all(
    folders.map(async (folder) =>
      (await filesIn(join(packages, folder))).map((name) => join(packages, folder, name)),
    ),
  );
  return files.flat().filter((file) => /(?:\.app|\.exe|[/\\][\w -]+)$/.test(file));
}

async function filesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
