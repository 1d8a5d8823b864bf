import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { readPackagedFuses } from './packaged-fuses.ts';

/** What stands before the fuses in every Electron binary. */
const SENTINEL = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ovation-packages-'));
  folders.push(folder);
  return folder;
}

test('the fuses of a packaged app are read from its binary, not from the files beside it', async () => {
  const packages = await newFolder();
  const unpacked = join(packages, 'linux-unpacked');
  await mkdir(join(unpacked, 'resources'), { recursive: true });
  await writeFile(join(unpacked, 'chrome-sandbox'), 'no fuses here');
  const wire = Buffer.concat([Buffer.from([1, 8]), Buffer.from('01001100')]);
  await writeFile(join(unpacked, 'ovation'), Buffer.concat([Buffer.from(`ELF${SENTINEL}`), wire]));
  expect(await readPackagedFuses(packages)).toEqual({
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  });
});

test('an empty folder, installers alone or no folder hold no app whose fuses could be read', async () => {
  const packages = await newFolder();
  expect(await readPackagedFuses(packages)).toBeUndefined();
  await writeFile(join(packages, 'Ovation-1.0.0.AppImage'), SENTINEL);
  expect(await readPackagedFuses(packages)).toBeUndefined();
  expect(await readPackagedFuses(join(packages, 'none'))).toBeUndefined();
});
