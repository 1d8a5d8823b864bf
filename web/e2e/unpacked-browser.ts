import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '../..');
const PACKAGE = '@sparticuz/chromium';
/** It outlives the run, whose folder for temporary files doesn't. */
const KEPT = join(ROOT, 'node_modules/.cache/ovation');
const UNPACK = `await (await import('${PACKAGE}')).default.executablePath()`;

/**
 * Where the Chromium is that is packed inside an npm package. It appears there whole: whoever takes it
 * while another process is still writing it can't start it (ETXTBSY), as in the first run on a machine,
 * in which several tests begin at once.
 */
export async function unpackBrowser(parent = KEPT, unpack = unpackPackage): Promise<string> {
  const text = await readFile(join(ROOT, 'node_modules', PACKAGE, 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  const home = join(parent, `ovation-chromium-${version}`);
  const browser = join(home, 'chromium');
  if (existsSync(browser)) return browser;
  await mkdir(parent, { recursive: true });
  const own = await mkdtemp(`${home}-`);
  await unpack(own);
  try {
    await rename(own, home);
  } catch (error) {
    // Somebody else was first.
    await rm(own, { recursive: true });
    if (!existsSync(browser)) throw error;
  }
  return browser;
}

/** The package unpacks into the directory for temporary files; so that is the folder. */
async function unpackPackage(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', UNPACK], {
    cwd: ROOT,
    env: { ...process.env, TMPDIR: folder },
  });
}
