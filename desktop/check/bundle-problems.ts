import { type Bundled, hashOf } from './bundled-packages.ts';

/** What a bundle may be made of, and how large it may be. */
interface Expected {
  packages: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  bytes: number;
}

/** A package that is new here was chosen for main, or came in by a wrong import. */
export const EXPECTED = {
  main: {
    packages: new Set([
      'set-cookie-parser',
      'valibot',
      // What brings updates, and what it brings along.
      'electron-updater',
      'builder-util-runtime',
      'debug',
      'fs-extra',
      'graceful-fs',
      'has-flag',
      'js-yaml',
      'jsonfile',
      'lazy-val',
      'lodash.escaperegexp',
      'lodash.isequal',
      'ms',
      'sax',
      'semver',
      'supports-color',
      'universalify',
    ]),
    folders: new Set(['desktop', 'shared']),
    // 623 kB, most of it electron-updater's.
    bytes: 700_000,
  },
  preload: { packages: new Set<string>(), folders: new Set(['desktop']), bytes: 5000 },
} as const satisfies Record<string, Expected>;

/** What the notes of the bundler say that was not expected of a bundle. */
export function bundleProblems(
  name: keyof typeof EXPECTED,
  code: string,
  bundled: Bundled,
): string[] {
  const expected: Expected = EXPECTED[name];
  const bytes = Buffer.byteLength(code);
  return [
    ...(bundled.codeHash === hashOf(code)
      ? []
      : [`The notes on the ${name} bundle were written for other code; please build it again.`]),
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
