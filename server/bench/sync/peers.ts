import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');

/** A folder of the bench's own: the peers are no dependencies of the product. */
export const PEERS = join(ROOT, 'node_modules/.cache/bench-sync');
const VERSIONS = { rxdb: '17.6.0', rxjs: '7.8.2', '@rocicorp/zero': '1.9.0' };

/** Installs the peers; undefined when it went well, else what went wrong. */
export async function installPeers(): Promise<string | undefined> {
  await mkdir(PEERS, { recursive: true });
  await writeFile(
    join(PEERS, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies: VERSIONS }),
  );
  const flags = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
  return run('npm', flags, { cwd: PEERS }).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

/** Builds a page into one file of the folder. @returns its size, compressed, in bytes */
export async function buildPage(name: string, folder: string): Promise<number> {
  const pages = join(PEERS, 'pages');
  await cp(join(import.meta.dirname, 'pages'), pages, { recursive: true });
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: {
      alias: [
        { find: /^#shared\//, replacement: `${ROOT}/shared/` },
        { find: /^#web\//, replacement: `${ROOT}/web/src/` },
      ],
    },
    build: {
      write: false,
      minify: true,
      target: 'es2023',
      rolldownOptions: { input: join(pages, `${name}.js`), output: { codeSplitting: false } },
    },
  });
  const outputs = Array.isArray(built) ? built : 'output' in built ? [built] : [];
  const code = outputs.flatMap(({ output }) =>
    output.map((file) => ('code' in file ? file.code : '')),
  );
  await writeFile(join(folder, `${name}.js`), code.join('\n'));
  return gzipSync(code.join('\n')).length;
}
