import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { keptUntilChanged } from '../databases/kept-until-changed.ts';

const ROOT = join(import.meta.dirname, '../../..');
const ENTRIES = [
  'server/test/processes/payment-process.ts',
  'server/test/processes/delivery-worker.ts',
  'server/test/processes/seeded-sandbox.ts',
  'server/src/main/check-invariants.ts',
  'server/src/main/demo-agency.ts',
  'server/src/main/operator.ts',
  'server/src/main/serve.ts',
  'server/src/main/start.ts',
  'server/src/main/work.ts',
  'server/sandbox/main.ts',
] as const;
const SOURCES = ['{server,shared}/**/*.{ts,mts,json}', 'package.json'];
/** Packages that read files beside their own. */
const LEFT_ALONE = ['@electric-sql/pglite', '@node-rs/argon2', 'sharp', 'pdfkit'];

/** The outside world that a start of the product forks. */
const FORKED = "join(import.meta.dirname, '../../../sandbox/main.ts')";

/** A module still knows where its source stands; what it forks is in few files too. */
const places: Plugin = {
  name: 'places',
  enforce: 'pre',
  transform(source, id) {
    const code = source.replace(FORKED, "join(import.meta.dirname, 'server-sandbox-main.mjs')");
    if (code !== source) return code;
    if (!code.includes('import.meta.') || id.includes('node_modules')) return null;
    const [url, directory] = [pathToFileURL(id).href, dirname(id)].map((each) =>
      JSON.stringify(each),
    ) as [string, string];
    return code
      .replaceAll(/\bimport\.meta\.url\b/g, () => url)
      .replaceAll(/\bimport\.meta\.dirname\b/g, () => directory);
  },
};

let made: Promise<string> | undefined;

/**
 * The entry of a process that is started dozens of times and whose start isn't what is tested, in few files: most of
 * a start is reading 1,200 modules.
 */
export async function bundled(entry: (typeof ENTRIES)[number]): Promise<string> {
  made ??= keptUntilChanged('processes', SOURCES, bundle);
  return relative(ROOT, join(await made, `${nameOf(entry)}.mjs`));
}

/** `main` isn't the only one of its name. */
const nameOf = (entry: string): string => entry.replace(/\.ts$/, '').replaceAll('/', '-');

async function bundle(path: string): Promise<void> {
  // Hardly anybody finds something to bundle.
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: ROOT,
    logLevel: 'error',
    plugins: [places],
    ssr: { noExternal: true, external: LEFT_ALONE },
    build: {
      ssr: true,
      outDir: path,
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(ENTRIES.map((entry) => [nameOf(entry), join(ROOT, entry)])),
        output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  });
}
