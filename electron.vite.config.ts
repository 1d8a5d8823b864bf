import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { allowedOnly } from './desktop/packaging/check.ts';
import { chunkGroups, LEAN, leanMantine } from './web/chunk-groups.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Packages that electron-updater brings along for what this app never does, or Node does by now, and its
 * ways to ask other places than a plain folder. Without them what is read at an update is half as large.
 */
const REPLACED: Readonly<Record<string, string>> = {
  'lodash.isequal': "module.exports = require('node:util').isDeepStrictEqual;",
  // Logs of its own, which a variable of the environment would switch on.
  debug:
    'const log = Object.assign(() => undefined, { enabled: false });' +
    'const debug = () => log; debug.default = debug; module.exports = debug;',
  // For folders of updates that answer in XML.
  sax: "module.exports = { parser: () => { throw new Error('No XML is read here.'); } };",
  // Kinds of packages that aren't made.
  './PacmanUpdater': '',
  './RpmUpdater': '',
  './providers/BitbucketProvider': '',
  './providers/GitHubProvider': '',
  './providers/GitLabProvider': '',
  './providers/KeygenProvider': '',
  './providers/PrivateGitHubProvider': '',
  // Of fs-extra, which copies and moves whole folders.
  './copy': '',
  './ensure': '',
  './move': '',
};
const WHOSE = /[/\\]node_modules[/\\](?:electron-updater|builder-util-runtime|fs-extra)[/\\]/;
const PREFIX = '\0lean-updater:';

/** Puts a line in the place of each of them. */
function leanUpdater(): Plugin {
  return {
    name: 'lean-updater',
    enforce: 'pre',
    resolveId: (name, importer) =>
      name in REPLACED && WHOSE.test(importer ?? '') ? `${PREFIX}${name}.cjs` : undefined,
    load: (id) =>
      id.startsWith(PREFIX) ? REPLACED[id.slice(PREFIX.length, -'.cjs'.length)] : undefined,
  };
}

/** Pages lie in folders, such as `/payment/credits`; the build tool's own base is the folder of the page. */
const fromRoot = (): Plugin => ({ name: 'from-root', config: () => ({ base: '/' }) });

/**
 * The desktop app: main, preload and the web UI as renderer, built into `out/`. Everything but Electron
 * itself is bundled, so that the package carries no `node_modules`.
 */
export default defineConfig({
  main: {
    plugins: [leanUpdater(), allowedOnly('main', at('.'))],
    build: {
      outDir: 'out/main',
      externalizeDeps: false,
      minify: true,
      rollupOptions: { input: at('desktop/main/main.ts') },
    },
  },
  preload: {
    plugins: [allowedOnly('preload', at('.'))],
    build: {
      outDir: 'out/preload',
      externalizeDeps: false,
      // A sandboxed preload script may not be an ES module.
      rollupOptions: {
        input: at('desktop/preload/preload.ts'),
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('desktop/renderer'),
    resolve: { alias: LEAN },
    publicDir: at('web/public'),
    plugins: [react(), fromRoot(), leanMantine(), chunkGroups(at('desktop/renderer/'))],
    build: {
      outDir: at('out/renderer'),
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      minify: true,
      cssCodeSplit: false,
      rollupOptions: { input: at('desktop/renderer/index.html') },
    },
  },
});
