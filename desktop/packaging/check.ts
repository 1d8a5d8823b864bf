import { globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import type { Plugin } from 'vite';
import { playScenario } from '../testing/play.ts';

/** Switches burnt into the binary: what the app never needs can't be turned on from outside. */
export const FUSES = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
} as const;

const OUT = join(import.meta.dirname, '../../out');
const BINARIES = ['*-unpacked/ovation', '*-unpacked/Ovation.exe', 'mac*/Ovation.app'];

/** The fuses burnt into the packaged app below a folder; undefined where there is no such app. */
export async function readFuses(packages: string): Promise<Record<string, boolean> | undefined> {
  const [binary] = globSync(BINARIES, { cwd: packages });
  if (binary === undefined) return undefined;
  const wire = await getCurrentFuseWire(join(packages, binary));
  const stateOf = (name: string): FuseState | undefined =>
    wire[FuseV1Options[`${name.slice(0, 1).toUpperCase()}${name.slice(1)}` as FuseName]];
  const names = Object.keys(FUSES);
  return Object.fromEntries(names.map((name) => [name, stateOf(name) === FuseState.ENABLE]));
}
type FuseName = keyof typeof FuseV1Options;

/** A sentence for each fuse that isn't as the configuration says. */
export function fuseProblems(burnt: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(FUSES)
    .filter(([name, wanted]) => burnt[name] !== wanted)
    .map(([name]) => `The fuse ${name} of the package is ${burnt[name]}.`);
}

/** A sentence for each thing that the page, which stands at addresses in folders too, loads from elsewhere than its root. */
export function pageProblems(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="((?!\/(?!\/))[^"]*)"/g)].map(
    ([, url]) => `index.html loads ${url}; everything must come from the root of the bundle.`,
  );
}

interface Entry {
  files?: Record<string, Entry>;
  offset?: string;
  size?: number;
}

/** What is in an archive of Electron's: each file's path, and its text. */
export function readArchive(path: string): Map<string, string> {
  const bytes = readFileSync(path);
  const head = bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12));
  const start = 8 + bytes.readUInt32LE(4);
  const found = new Map<string, string>();
  const walk = ({ files = {} }: Entry, within: string): void => {
    for (const [name, entry] of Object.entries(files)) {
      if (entry.files) walk(entry, `${within}${name}/`);
      const from = start + Number(entry.offset);
      const text = (): string => bytes.toString('utf8', from, from + (entry.size ?? 0));
      if (!entry.files) found.set(`${within}${name}`, text());
    }
  };
  walk(JSON.parse(head) as Entry, '');
  return found;
}

/** A line for each package of a folder, and one for what each app's archive has. */
export function listPackages(folder: string): string[] {
  const packages = globSync('*.{AppImage,deb,dmg,zip,exe,yml,sig}', { cwd: folder });
  return [
    ...packages.map((name) => `${name}  ${kilobytes(statSync(join(folder, name)).size)}`),
    ...globSync('**/app.asar', { cwd: folder }).map(
      (name) => `${name}  ${contents(readArchive(join(folder, name)))}`,
    ),
  ];
}

function contents(archive: ReadonlyMap<string, string>): string {
  const places = [...archive.keys()].map((name) => name.split('/').slice(0, 2).join('/'));
  return [...new Set(places)]
    .sort()
    .map((place) => {
      const count = places.filter((each) => each === place).length;
      return place.includes('/') ? `${place} ${count} ${count === 1 ? 'file' : 'files'}` : place;
    })
    .join(', ');
}

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;

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

/** Verifies the built desktop app without starting it and prints sizes; what it is made of the build has verified. */
async function checkDesktop(out: string, renderer: string, say: (line: string) => unknown) {
  const textsIn = (folder: string): Buffer[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((file) => readFileSync(join(file.parentPath, file.name)));
  const folders = { main: join(out, 'main'), preload: join(out, 'preload'), renderer };
  for (const [name, folder] of Object.entries(folders)) {
    const all = Buffer.concat(textsIn(folder));
    say(`${name}: ${kilobytes(all.length)}, ${kilobytes(gzipSync(all).length)} compressed`);
  }
  say(`before the window: ${kilobytes(statSync(join(out, 'main/main.js')).size)} of main`);
  const { read, heldUp } = await playScenario(join(out, 'main/main.js'), 'start');
  say(`start: reads ${read.join(', ')}; ${heldUp.length} calls that block before the window`);
  const burnt = await readFuses(join(OUT, 'packages'));
  say(burnt ? 'fuses: read from the packaged binary' : 'fuses: not read, nothing is packaged here');
  const problems = [
    ...heldUp.map((call) => `The start waits for ${call} before the window shows.`),
    ...pageProblems(readFileSync(join(renderer, 'index.html'), 'utf8')),
    ...(burnt ? fuseProblems(burnt) : []),
  ];
  for (const problem of problems) say(`PROBLEM: ${problem}`);
  say(problems.length === 0 ? 'desktop app: checked' : `desktop app: ${problems.length} problems`);
  return problems.length === 0;
}

/** `npm run desktop:check`; `check.ts <out> <renderer>` checks what was built elsewhere. */
if (import.meta.main) {
  const [, , out = OUT, renderer = join(out, 'renderer')] = process.argv;
  const isGood = await checkDesktop(out, renderer, (line) => process.stdout.write(`${line}\n`));
  process.exitCode = isGood ? 0 : 1;
}
