import { relative } from 'node:path';
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

/** What a bundle may be made of. A package that is new was chosen for it, or came in by a wrong import. */
interface Allowed {
  packages: readonly string[];
  folders: readonly string[];
  bytes: number;
}

const ALLOWED = {
  main: {
    packages: [
      'set-cookie-parser',
      'valibot',
      // What brings updates, and what it brings along.
      'electron-updater',
      'builder-util-runtime',
      'fs-extra',
      'graceful-fs',
      'js-yaml',
      'jsonfile',
      'lazy-val',
      'lodash.escaperegexp',
      'semver',
      'universalify',
    ],
    folders: ['desktop', 'shared'],
    // 68 kB of it before the window shows; most of the rest is electron-updater's.
    bytes: 250_000,
  },
  preload: { packages: [], folders: ['desktop'], bytes: 5000 },
} as const satisfies Record<string, Allowed>;

/** What would undo the guards of the window, or let Node talk to whoever shows any certificate. */
const UNDOING = [
  'appendSwitch',
  'setCertificateVerifyProc',
  'certificate-error',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'rejectUnauthorized',
  'checkServerIdentity',
];

/** Fails a build of main or preload that has what it may not have. `root`: of the repository. */
export function allowedOnly(name: keyof typeof ALLOWED, root: string): Plugin {
  return {
    name: 'allowed-only',
    writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
      const modules = chunks.flatMap(({ moduleIds }) => moduleIds);
      const code = chunks.map((chunk) => chunk.code).join('\n');
      const problems = bundleProblems(name, code, sourcesOf(modules, root));
      if (problems.length > 0) this.error(problems.join('\n'));
    },
  };
}

/** The packages of npm and the folders of this repository that modules come from. */
export function sourcesOf(moduleIds: readonly string[], root: string) {
  const [packages, folders] = [new Set<string>(), new Set<string>()];
  for (const id of moduleIds) {
    // What the bundler adds itself has no file.
    if (id.startsWith('\0')) continue;
    const path = relative(root, id).replaceAll('\\', '/');
    // A package within a package counts by its own name.
    const inside = path.split('node_modules/').at(-1) ?? path;
    const [first = '', second = ''] = inside.split('/');
    if (inside === path) folders.add(first);
    else packages.add(first.startsWith('@') ? `${first}/${second}` : first);
  }
  return { packages: [...packages].sort(), folders: [...folders].sort() };
}

/** A sentence for each thing that a bundle of this code may not have. */
export function bundleProblems(
  name: keyof typeof ALLOWED,
  code: string,
  { packages, folders }: ReturnType<typeof sourcesOf>,
): string[] {
  const allowed: Allowed = ALLOWED[name];
  const bytes = Buffer.byteLength(code);
  const loaded = [...code.matchAll(/require\(["'`](?:node:)?([^"'`]+)["'`]\)/g)];
  return [
    ...packages
      .filter((each) => !allowed.packages.includes(each))
      .map((each) => `The ${name} bundle has the package "${each}", which is not expected there.`),
    ...folders
      .filter((each) => !allowed.folders.includes(each))
      .map((each) => `The ${name} bundle has code of "${each}/", which is not expected there.`),
    ...(bytes > allowed.bytes
      ? [`The ${name} bundle has ${bytes} bytes; ${allowed.bytes} are expected at most.`]
      : []),
    ...UNDOING.filter((word) => code.includes(word)).map(
      (word) => `The ${name} bundle says ${word}, which would undo a guard.`,
    ),
    ...loaded
      .filter(([, module]) => name === 'preload' && module !== 'electron')
      .map(([, module]) => `The preload script loads "${module}"; it may load electron only.`),
  ];
}
