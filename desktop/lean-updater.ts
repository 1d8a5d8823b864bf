import type { Plugin } from 'vite';

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
export function leanUpdater(): Plugin {
  return {
    name: 'lean-updater',
    enforce: 'pre',
    resolveId: (name, importer) =>
      name in REPLACED && WHOSE.test(importer ?? '') ? `${PREFIX}${name}.cjs` : undefined,
    load: (id) =>
      id.startsWith(PREFIX) ? REPLACED[id.slice(PREFIX.length, -'.cjs'.length)] : undefined,
  };
}
