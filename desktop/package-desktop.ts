import { join } from 'node:path';
import { build, type Configuration } from 'electron-builder';
import { listPackages } from './check/packaged-archive.ts';
import { drawIcons } from './icons/draw-icons.ts';
import { packageConfig, updatesOf } from './package-config.ts';
import { readReleaseNotes } from './release-notes.ts';
import { publicKeyOf, readUpdateKey, signChannelFiles } from './sign-updates.ts';

export interface Packaging {
  /** The folder that has `out/`, and gets the packages in `out/packages`. */
  projectDir: string;
  /** `UPDATE_URL` and `UPDATE_KEY_FILE`; `ELECTRON_DIST` names an unpacked Electron that is here already. */
  env: Record<string, string | undefined>;
  platform: NodeJS.Platform;
  more?: Configuration;
}

/**
 * Makes the packages of a system, and signs what they are told of updates.
 * @returns the names of the signed files
 */
export async function packageDesktop(packaging: Packaging): Promise<string[]> {
  const { projectDir, env, platform, more } = packaging;
  const updates = updatesOf(env, platform);
  const key = updates && readUpdateKey(updates.keyFile);
  await drawIcons(join(projectDir, 'out/icons'));
  const dist = env['ELECTRON_DIST'];
  const config = {
    ...packageConfig(
      updates &&
        key && {
          url: updates.url,
          publicKey: publicKeyOf(key),
          releaseNotes: readReleaseNotes(projectDir),
        },
    ),
    ...(dist !== undefined && { electronDist: dist }),
    ...more,
  };
  await build({ projectDir, config, publish: 'never' });
  if (!key) return [];
  const folder = join(projectDir, String(config.directories?.output));
  const signed = signChannelFiles(folder, key);
  if (signed.length === 0) throw new Error(`There is no latest*.yml in ${folder} to sign.`);
  return signed;
}

if (import.meta.main) {
  const projectDir = join(import.meta.dirname, '..');
  const signed = await packageDesktop({
    projectDir,
    env: process.env,
    platform: process.platform,
  });
  const made = listPackages(join(projectDir, 'out/packages'));
  process.stdout.write(`${made.join('\n')}\n`);
  if (signed.length > 0) process.stdout.write(`Signed: ${signed.join(', ')}\n`);
}
