import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { RENDERED_PAGES } from '../shared/domain/page-paths.ts';
import { build, type Plugin, type ResolvedConfig } from 'vite';

/** Pages that only the server can fill in, notes of the build, pictures for visitors, and what needs the network. */
const FILLED_IN = new Set([...Object.values(RENDERED_PAGES), '/public.html']);
const NOT_KEPT = /^\/(\.vite|service-worker|robots|link-preview)|\.webp$|\/read-worker-/;
const HASHED_FOLDER = '/assets/';

/** After the build and the rendered pages: the service worker, with the list of what it keeps. */
export function serviceWorker(): Plugin {
  let config: ResolvedConfig;
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved: (resolved) => {
      config = resolved;
    },
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: async ({ dir: directory = config.build.outDir }) => {
        const files = await keptFiles(directory);
        await build({
          root: config.root,
          configFile: false,
          logLevel: 'warn',
          define: {
            SHELL_FILES: JSON.stringify(files),
            'process.env.NODE_ENV': JSON.stringify('production'),
          },
          build: {
            outDir: directory,
            emptyOutDir: false,
            copyPublicDir: false,
            target: 'es2023',
            lib: {
              entry: 'src/service-worker/service-worker.ts',
              formats: ['iife'],
              name: 'serviceWorker',
              fileName: () => 'service-worker.js',
            },
          },
        });
      },
    },
  };
}

/** Hashed files need no revision: their name is one. */
async function keptFiles(
  directory: string,
): Promise<Array<{ url: string; revision: string | null }>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const urls = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(directory, join(parentPath, name)).replaceAll(sep, '/'))
    .map((path) => `/${path}`)
    .filter((url) => !FILLED_IN.has(url) && !NOT_KEPT.test(url))
    .toSorted();
  return Promise.all(
    urls.map(async (url) => ({
      url,
      revision: url.startsWith(HASHED_FOLDER) ? null : await revisionOf(join(directory, url)),
    })),
  );
}

async function revisionOf(file: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
    .slice(0, 16);
}
