import { type Bundled, hashOf } from './bundled-packages.ts';

/** What was built; an empty list of problems is a pass. */
export interface Built {
  /** The fuses of the configuration. */
  fuses: Readonly<Record<string, boolean>>;
  /** Those of the packaged binary, where there is one. */
  packagedFuses?: Readonly<Record<string, boolean>>;
  /** Text of all files of the main process. */
  main: string;
  /** Text of the preload script. */
  preload: string;
  /** What the bundler noted of both. */
  bundled: { main: Bundled; preload: Bundled };
  indexHtml: string;
  /** Calls of the disk that held the start up before a window was shown. */
  heldUp: readonly string[];
}

/** What a bundle may be made of, and how large it may be. */
interface Expected {
  packages: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  bytes: number;
}

/** A package that is new here was chosen for main, or came in by a wrong import. */
const EXPECTED = {
  main: {
    packages: new Set([
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
    ]),
    folders: new Set(['desktop', 'shared']),
    // 68 kB of it before the window shows; most of the rest is electron-updater's.
    bytes: 250_000,
  },
  preload: { packages: new Set<string>(), folders: new Set(['desktop']), bytes: 5000 },
} as const satisfies Record<string, Expected>;

/** What would undo the guards of the window, or let Node talk to whoever shows any certificate. */
const UNDOING = [
  'appendSwitch',
  'setCertificateVerifyProc',
  'certificate-error',
  'NODE_TLS_REJECT_UNAUTHORIZED',
  'rejectUnauthorized',
  'checkServerIdentity',
];

/** Everything that is not as reliability.md asks of the desktop app. */
export function findProblems(built: Built): string[] {
  const { main, preload, bundled, packagedFuses = {} } = built;
  const loaded = [...preload.matchAll(/require\(["'`](?:node:)?([^"'`]+)["'`]\)/g)];
  const elsewhere = [...built.indexHtml.matchAll(/(?:src|href)="(https?:[^"]+)"/g)];
  return [
    ...Object.entries(packagedFuses)
      .filter(([name, value]) => built.fuses[name] !== value)
      .map(([name, value]) => `The fuse ${name} of the package is ${value}.`),
    ...bundleProblems('main', main, bundled.main),
    ...bundleProblems('preload', preload, bundled.preload),
    ...UNDOING.filter((word) => main.includes(word)).map(
      (word) => `The main bundle says ${word}, which would undo a guard.`,
    ),
    ...loaded
      .filter(([, name]) => name !== 'electron')
      .map(([, name]) => `The preload script loads "${name}"; it may load electron only.`),
    ...built.heldUp.map((call) => `The start waits for ${call} before the window shows.`),
    ...elsewhere.map(([, url]) => `index.html loads ${url}; everything must come from the bundle.`),
  ];
}

/** What the notes of the bundler say that was not expected of a bundle. */
function bundleProblems(name: keyof typeof EXPECTED, code: string, bundled: Bundled): string[] {
  const expected: Expected = EXPECTED[name];
  const bytes = Buffer.byteLength(code);
  const isOld = bundled.codeHash !== hashOf(code);
  return [
    ...(isOld ? [`The notes on the ${name} bundle are on other code; please build it again.`] : []),
    ...bundled.packages
      .filter((each) => !expected.packages.has(each))
      .map((each) => `The ${name} bundle has the package "${each}", which is not expected there.`),
    ...bundled.folders
      .filter((each) => !expected.folders.has(each))
      .map((each) => `The ${name} bundle has code of "${each}/", which is not expected there.`),
    ...(bytes > expected.bytes
      ? [`The ${name} bundle has ${bytes} bytes; ${expected.bytes} are expected at most.`]
      : []),
  ];
}
