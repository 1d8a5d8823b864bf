import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FUSES } from '../package-config.ts';
import { runMain } from '../testing/run-main.ts';
import { type Bundled, readBundle } from './bundled-packages.ts';
import { findProblems } from './findings.ts';
import { readPackagedFuses } from './packaged-fuses.ts';

const OUT = join(import.meta.dirname, '../../out');

/** Verifies the built desktop app without starting it, prints sizes, and fails on any problem. */
async function checkDesktop(): Promise<number> {
  const read = (path: string): Promise<string> => readFile(join(OUT, path), 'utf8');
  const [main, preload, indexHtml] = await Promise.all([
    readBundle(join(OUT, 'main')),
    readBundle(join(OUT, 'preload')),
    read('renderer/index.html'),
  ]);
  const notesOn = async (name: string): Promise<Bundled> =>
    JSON.parse(await read(`${name}.bundled.json`)) as Bundled;
  const bundled = { main: await notesOn('main'), preload: await notesOn('preload') };
  const atStart = (await stat(join(OUT, 'main/main.js'))).size;
  say(
    `main      ${sizes(main)}, ${kilobytes(atStart)} before the window; ${contents(bundled.main)}`,
  );
  say(`preload   ${sizes(preload)}; ${contents(bundled.preload)}`);
  say(`renderer  ${kilobytes(await folderBytes(join(OUT, 'renderer')))} in all files`);
  const { facts } = await runMain(join(OUT, 'main/main.js'));
  const [files, heldUp] = [facts['read'] as string[], facts['heldUp'] as string[]];
  say(`start     reads ${files.join(', ')}; ${heldUp.length} calls that block before the window`);
  const packagedFuses = await readPackagedFuses(join(OUT, 'packages'));
  say(
    packagedFuses
      ? 'package   fuses read from the packaged binary'
      : 'package   not run: nothing packaged here (npm run desktop:package needs the Electron binary)',
  );
  const problems = findProblems({
    fuses: FUSES,
    main,
    preload,
    bundled,
    indexHtml,
    heldUp,
    ...(packagedFuses && { packagedFuses }),
  });
  for (const problem of problems) say(`PROBLEM   ${problem}`);
  say(problems.length === 0 ? 'desktop app: checked' : `desktop app: ${problems.length} problems`);
  return problems.length === 0 ? 0 : 1;
}

async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const stats = await Promise.all(files.map((file) => stat(join(file.parentPath, file.name))));
  return stats.reduce((sum, { size }) => sum + size, 0);
}

function sizes(text: string): string {
  return `${kilobytes(Buffer.byteLength(text))}, ${kilobytes(gzipSync(text).length)} compressed`;
}

function contents({ folders, packages }: Bundled): string {
  return `from ${[...folders.map((folder) => `${folder}/`), ...packages].join(', ')}`;
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await checkDesktop();
