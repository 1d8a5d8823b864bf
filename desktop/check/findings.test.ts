import { expect, test } from 'vitest';
import { CONTENT_POLICY } from '#shared/domain/content-policy.ts';
import { SCHEME_PRIVILEGES } from '../main/scheme-privileges.ts';
import { WEB_PREFERENCES } from '../main/web-preferences.ts';
import { FUSES } from '../package-config.ts';
import { type Bundled, hashOf } from './bundled-packages.ts';
import { readBuiltCode } from './built-code.ts';
import { type Built, findProblems } from './findings.ts';

/** The main script in small, as the bundler writes it. */
const MAIN = `
import { app } from "electron";
import { join } from "node:path";
var __require = /* @__PURE__ */ (() => createRequire(import.meta.url))();
var WEB_PREFERENCES = {
  contextIsolation: true,
  sandbox: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: hasOwnSpeller(process.platform)
};
function openWindow() {
  const window = new BrowserWindow({
    show: false,
    webPreferences: { ...WEB_PREFERENCES, preload: join("a", "b"), additionalArguments: [] }
  });
  guard(window);
}
function guard({ webContents }) {
  webContents.setWindowOpenHandler(({ url }) => {
    if (mayOpenOutside(url)) shell.openExternal(url);
    return { action: "deny" };
  });
  const stay = (event) => { if (!mayNavigate(event.url)) event.preventDefault(); };
  webContents.on("will-navigate", stay);
  webContents.on("will-frame-navigate", stay);
  webContents.on("will-redirect", stay);
  webContents.on("will-attach-webview", (event) => event.preventDefault());
}
function closeSession(session) {
  session.setPermissionRequestHandler((_, permission, answer) => answer(mayUsePermission(permission)));
  session.setPermissionCheckHandler((_, permission) => mayUsePermission(permission));
  session.webRequest.onBeforeRequest(({ url }, answer) => answer({ cancel: !mayRequest(url) }));
}
app.whenReady().then(async () => {
  closeSession(session.defaultSession);
  await openWindow();
});
`;

const PRELOAD = 'let electron = require("electron");';

/** Notes of the bundler on a code that has nothing but what is expected. */
const notedOn = (code: string): Bundled => ({
  packages: [],
  folders: ['desktop'],
  codeHash: hashOf(code),
});
/** The same, for the code that was changed. */
const noted = (built: Built): Built => ({
  ...built,
  bundled: { main: notedOn(built.main), preload: notedOn(built.preload) },
});

const fine: Built = {
  fuses: FUSES,
  webPreferences: WEB_PREFERENCES,
  schemePrivileges: SCHEME_PRIVILEGES,
  contentPolicy: CONTENT_POLICY,
  main: MAIN,
  preload: PRELOAD,
  bundled: { main: notedOn(MAIN), preload: notedOn(PRELOAD) },
  indexHtml: '<script type="module" src="/assets/index.js"></script>',
};

test('the configuration as it is passes', () => expect(findProblems(fine)).toEqual([]));

test.each<[string, Partial<Built>]>([
  ['fuse runAsNode', { fuses: { ...FUSES, runAsNode: true } }],
  ['fuse of the package runAsNode', { packagedFuses: { ...FUSES, runAsNode: true } }],
  ['web preference sandbox', { webPreferences: { ...WEB_PREFERENCES, sandbox: false } }],
  [
    'web preference navigateOnDragDrop',
    { webPreferences: { ...WEB_PREFERENCES, navigateOnDragDrop: true } },
  ],
  ['app:// secure', { schemePrivileges: { ...SCHEME_PRIVILEGES, secure: false } }],
  ['app:// bypassCSP', { schemePrivileges: { ...SCHEME_PRIVILEGES, bypassCSP: true } }],
  ['app:// corsEnabled', { schemePrivileges: { ...SCHEME_PRIVILEGES, corsEnabled: true } }],
  [
    'worker-src',
    { contentPolicy: CONTENT_POLICY.replace("worker-src 'self'", "worker-src 'none'") },
  ],
  [
    'script-src',
    { contentPolicy: CONTENT_POLICY.replace("script-src 'self'", "script-src 'self' blob:") },
  ],
  ['"pg"', { main: `${fine.main} import pg from "pg";` }],
  ['"node-fetch"', { main: `${fine.main} const x = () => import("node-fetch")` }],
  ['"left-pad"', { main: `${fine.main} var pad = __require("left-pad");` }],
  ['"fs"', { preload: 'require("node:fs")' }],
  ['"fs"', { preload: 'process.getBuiltinModule("fs")' }],
  ['https://cdn.example', { indexHtml: '<script src="https://cdn.example/x.js"></script>' }],
])('a planted %s is found', (name, change) => {
  const problems = findProblems(noted({ ...fine, ...change }));
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(name);
});

test.each<[string, RegExp | string, string]>([
  ['sandbox: false', 'preload:', 'sandbox: false, preload:'],
  ['contextIsolation: false', 'preload:', 'contextIsolation: !1, preload:'],
  ['nodeIntegration: true', 'preload:', '"nodeIntegration": true, preload:'],
  ['webSecurity: false', 'preload:', 'webSecurity: false, preload:'],
  ['allowRunningInsecureContent: true', 'preload:', 'allowRunningInsecureContent: !0, preload:'],
  ['sandbox: false', 'guard(window);', 'guard(window); options.sandbox = false;'],
  ['corsEnabled: true', /$/, 'register({ ...SCHEME_PRIVILEGES, corsEnabled: true });'],
  ['sandbox is undefined', 'sandbox: true,', ''],
  ['preference sandbox, which nobody checked', 'preload:', 'sandbox: wish(), preload:'],
  ['preference experimentalFeatures', 'preload:', 'experimentalFeatures: true, preload:'],
  ['can not be read', '...WEB_PREFERENCES,', '...fromElsewhere(),'],
  ['can not be read', /$/, 'new BrowserWindow({ show: true });'],
  ['no window its webPreferences', /new BrowserWindow\([^;]*\);/, 'open();'],
  ['no setPermissionRequestHandler', 'session.setPermissionRequestHandler', 'void'],
  ['no setPermissionRequestHandler', 'answer(mayUsePermission(permission))', 'answer(true)'],
  ['no setPermissionCheckHandler', 'session.setPermissionCheckHandler', 'void'],
  ['no onBeforeRequest', '!mayRequest(url)', 'false'],
  ['no setPermissionRequestHandler', 'closeSession(session.default', 'log(session.default'],
  ['no on will-navigate', 'guard(window);', ''],
  ['no setWindowOpenHandler', '"deny"', '"allow"'],
  ['no on will-navigate', 'webContents.on("will-navigate", stay);', '// on("will-navigate", stay)'],
  ['no on will-redirect', '"will-redirect", stay', '"will-redirect", () => {}'],
  ['no on will-attach-webview', '"will-attach-webview"', '"other"'],
  ['appendSwitch', /$/, 'app.commandLine.appendSwitch("no-sandbox");'],
  ['says NODE_TLS_REJECT', /$/, 'process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0";'],
  ['says NODE_TLS_REJECT', /$/, 'process.env.NODE_TLS_REJECT_UNAUTHORIZED = 0;'],
  ['says rejectUnauthorized', /$/, 'new Agent({ connect: { rejectUnauthorized: false } });'],
  ['says checkServerIdentity', /$/, 'new Agent({ checkServerIdentity() {} });'],
  ['waits before it is evaluated', 'app.whenReady().then', 'await app.whenReady().then'],
])('in the built main script "%s" is found', (finding, from, to) => {
  const main = MAIN.replace(from, to);
  expect(main).not.toBe(MAIN);
  const problems = findProblems(noted({ ...fine, main }));
  expect(problems.join('\n')).toContain(finding);
});

test('an unexpected package in a bundle is found', () => {
  const main = { ...fine.bundled.main, packages: ['kysely'] };
  const preload = { ...fine.bundled.preload, packages: ['valibot'] };
  expect(findProblems({ ...fine, bundled: { main, preload } })).toEqual([
    'The main bundle has the package "kysely", which is not expected there.',
    'The preload bundle has the package "valibot", which is not expected there.',
  ]);
});

test('modules are found however they are loaded', () => {
  const code = `import a from"x";import"y";const b=require('node:z');__require2("w");import("./own.js");
    createRequire(import.meta.url)("v"); // require("not this one")
    const text = 'import "nor this"';`;
  expect(readBuiltCode(code).modules).toEqual(['v', 'w', 'x', 'y', 'z']);
});
