/** What a look at the configuration and the built files found; an empty list is a pass. */
export interface Built {
  fuses: Readonly<Record<string, boolean>>;
  webPreferences: Readonly<Record<string, boolean>>;
  schemePrivileges: Readonly<Record<string, boolean>>;
  /** The policy that the handler sends with every file. */
  contentPolicy: string;
  /** Text of the built main process. */
  main: string;
  /** Text of the built preload script. */
  preload: string;
  indexHtml: string;
}

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
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
};

const SCHEME_PRIVILEGES: Readonly<Record<string, boolean>> = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  stream: true,
  bypassCSP: false,
  allowServiceWorkers: false,
};

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
  'https',
  'module',
  'os',
  'path',
  'stream',
  'string_decoder',
  'tty',
  'url',
  'util',
  'zlib',
]);

/** Everything that is not as reliability.md asks of the desktop app. */
export function findProblems(built: Built): string[] {
  return [
    ...differences('fuse', built.fuses, FUSES),
    ...differences('web preference', built.webPreferences, WEB_PREFERENCES),
    ...differences('privilege of app://', built.schemePrivileges, SCHEME_PRIVILEGES),
    ...policyProblems(built.contentPolicy),
    ...loadedModules(built.main)
      .filter((name) => !ALLOWED_MODULES.has(name))
      .map((name) => `The main bundle loads "${name}", which is not expected there.`),
    ...loadedModules(built.preload)
      .filter((name) => name !== 'electron')
      .map((name) => `The preload script loads "${name}"; it may load electron only.`),
    ...scriptsFromElsewhere(built.indexHtml),
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

/** Names given to `require`, `import` and `import()`; parts of the bundle itself aside. */
export function loadedModules(code: string): string[] {
  const names = new Set<string>();
  const pattern =
    /(?:\bfrom\s*|\bimport\s*|\brequire\d*\(\s*|\bimport\(\s*)["'](?:node:)?([\w@./-]+)["']/g;
  for (const [, name] of code.matchAll(pattern)) {
    if (name !== undefined && !name.startsWith('.')) names.add(name);
  }
  return [...names].sort();
}

function scriptsFromElsewhere(html: string): string[] {
  return [...html.matchAll(/(?:src|href)="(https?:[^"]+)"/g)].map(
    ([, url]) => `index.html loads ${url}; everything must come from the bundle.`,
  );
}
