import { bundleProblems } from './bundle-problems.ts';
import type { Bundled } from './bundled-packages.ts';
import { type BuiltCode, type BuiltObject, readBuiltCode } from './built-code.ts';

/** What a look at the configuration and the built files found; an empty list is a pass. */
export interface Built {
  fuses: Readonly<Record<string, boolean>>;
  webPreferences: Readonly<Record<string, boolean>>;
  schemePrivileges: Readonly<Record<string, boolean>>;
  /** The policy that the handler sends with every file. */
  contentPolicy: string;
  /** Fuses of the packaged binary, where there is one. */
  packagedFuses?: Readonly<Record<string, boolean>>;
  /** Text of the built main process. */
  main: string;
  /** Text of the built preload script. */
  preload: string;
  /** What the bundler noted of both. */
  bundled: { main: Bundled; preload: Bundled };
  indexHtml: string;
}

// What must be stands here by itself, and not read from the app: weakened there, it is to be found here.

const FUSES: Readonly<Record<string, boolean>> = {
  runAsNode: false,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  onlyLoadAppFromAsar: true,
  enableEmbeddedAsarIntegrityValidation: true,
  enableCookieEncryption: true,
  grantFileProtocolExtraPrivileges: false,
};

const WEB_PREFERENCES: Readonly<Record<string, boolean>> = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  navigateOnDragDrop: false,
};
/** What else a window may be given: the preload script, what it is told, and a wish of the system's. */
const OTHER_PREFERENCES = new Set(['preload', 'additionalArguments', 'spellcheck']);

const SCHEME_PRIVILEGES: Readonly<Record<string, boolean>> = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  stream: true,
  bypassCSP: false,
  allowServiceWorkers: false,
  corsEnabled: false,
  allowExtensions: false,
};

/** What the main process must call, and what must stand in the code that it hands over. */
const GUARDS: ReadonlyArray<[call: string, ...contents: string[]]> = [
  ['setPermissionRequestHandler', 'mayUsePermission'],
  ['setPermissionCheckHandler', 'mayUsePermission'],
  ['onBeforeRequest', 'mayRequest', 'cancel'],
  ['setWindowOpenHandler', 'mayOpenOutside', 'deny'],
  ['on will-navigate', 'mayNavigate', 'preventDefault'],
  ['on will-frame-navigate', 'mayNavigate', 'preventDefault'],
  ['on will-redirect', 'mayNavigate', 'preventDefault'],
  ['on will-attach-webview', 'preventDefault'],
];
/** What would undo the guards for the whole app. */
const UNDOING = ['appendSwitch', 'setCertificateVerifyProc', 'on certificate-error'];
/** What lets Node, which carries the session, talk to whoever shows any certificate. */
const WEAKENING = ['NODE_TLS_REJECT_UNAUTHORIZED', 'rejectUnauthorized', 'checkServerIdentity'];

/** Built-in modules of Node that the main process may load; electron-updater brings most of them. */
const ALLOWED_MODULES = new Set([
  'electron',
  'assert',
  'child_process',
  'constants',
  'crypto',
  'events',
  'fs',
  'fs/promises',
  'http',
  'module',
  'os',
  'path',
  'stream',
  'tls',
  'tty',
  'url',
  'util',
  'zlib',
]);

/** Everything that is not as reliability.md asks of the desktop app. */
export function findProblems(built: Built): string[] {
  const [main, preload] = [readBuiltCode(built.main), readBuiltCode(built.preload)];
  return [
    ...differences('fuse', built.fuses, FUSES),
    ...(built.packagedFuses ? differences('fuse of the package', built.packagedFuses, FUSES) : []),
    ...differences('web preference', built.webPreferences, WEB_PREFERENCES),
    ...differences('privilege of app://', built.schemePrivileges, SCHEME_PRIVILEGES),
    ...policyProblems(built.contentPolicy),
    ...windowProblems(main),
    ...guardProblems(main),
    ...(main.hasTopLevelAwait
      ? ['The main script waits before it is evaluated; Electron becomes ready only afterwards.']
      : []),
    ...WEAKENING.filter((word) => main.words.has(word)).map(
      (word) => `The main bundle says ${word}; certificates are checked by the system's rules.`,
    ),
    ...bundleProblems('main', built.main, built.bundled.main),
    ...bundleProblems('preload', built.preload, built.bundled.preload),
    ...main.modules
      .filter((name) => !ALLOWED_MODULES.has(name))
      .map((name) => `The main bundle loads "${name}", which is not expected there.`),
    ...preload.modules
      .filter((name) => name !== 'electron')
      .map((name) => `The preload script loads "${name}"; it may load electron only.`),
    ...scriptsFromElsewhere(built.indexHtml),
  ];
}

/** The windows as they are built, and settings that open one up from wherever they stand. */
function windowProblems({ windows, settings }: BuiltCode): string[] {
  const wanted = [
    ...Object.entries(WEB_PREFERENCES),
    ...Object.entries(SCHEME_PRIVILEGES).filter(([, value]) => !value),
  ];
  const open = wanted
    .map(([name, value]) => `${name}: ${!value}`)
    .filter((setting) => settings.has(setting))
    .map((setting) => `The main bundle says "${setting}".`);
  if (windows.length === 0) return [...open, 'The main bundle gives no window its webPreferences.'];
  return [...open, ...windows.flatMap(preferenceProblems)];
}

function preferenceProblems(window: BuiltObject | undefined): string[] {
  if (!window) return ['A window of the main bundle has webPreferences that can not be read.'];
  const names = [...Object.keys(window.values), ...window.computed];
  return [
    ...differences('built web preference', window.values, WEB_PREFERENCES),
    ...[...new Set(names)]
      .filter((name) => !OTHER_PREFERENCES.has(name))
      .filter((name) => !(name in WEB_PREFERENCES) || window.computed.includes(name))
      .map((name) => `A window has the web preference ${name}, which nobody checked.`),
  ];
}

/** A guard in a function that nobody calls guards nothing. */
function guardProblems({ calls, called }: BuiltCode): string[] {
  const missing = GUARDS.filter(([call, ...contents]) => {
    const made = (calls.get(call) ?? []).filter(
      ({ within }) => within === undefined || called.has(within),
    );
    const isGuarding = (given: string): boolean => contents.every((each) => given.includes(each));
    return made.length === 0 || !made.every(({ given }) => isGuarding(given));
  });
  return [
    ...missing.map(([call]) => `The main bundle has no ${call} that guards the window.`),
    ...UNDOING.filter((call) => calls.has(call)).map((call) => `The main bundle has ${call}.`),
  ];
}

function differences(
  what: string,
  found: Readonly<Record<string, boolean>>,
  wanted: Readonly<Record<string, boolean>>,
): string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => found[name] !== value)
    .map(([name, value]) => `The ${what} ${name} is ${found[name]}, it must be ${value}.`);
}

/** Sync runs in a worker; without it in the policy it would hold up the window instead. */
function policyProblems(policy: string): string[] {
  const rules = new Map(
    policy.split('; ').map((rule) => {
      const [name = '', ...sources] = rule.split(' ');
      return [name, sources];
    }),
  );
  return [
    ...(rules.get('worker-src')?.includes("'self'")
      ? []
      : ["The content policy's worker-src lacks 'self', so sync could not run in a worker."]),
    ...(rules.get('script-src')?.join(' ') === "'self'"
      ? []
      : ["The content policy's script-src is more than 'self'."]),
  ];
}

function scriptsFromElsewhere(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(https?:[^"]+)"/g)].map(
    ([, url]) => `index.html loads ${url}; everything must come from the bundle.`,
  );
}
