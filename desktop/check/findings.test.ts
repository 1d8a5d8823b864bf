import { expect, test } from 'vitest';
import { CONTENT_POLICY } from '#shared/domain/content-policy.ts';
import { SCHEME_PRIVILEGES } from '../main/scheme-privileges.ts';
import { WEB_PREFERENCES } from '../main/web-preferences.ts';
import { FUSES } from '../package-config.ts';
import { type Built, findProblems, loadedModules } from './findings.ts';

const fine: Built = {
  fuses: FUSES,
  webPreferences: WEB_PREFERENCES,
  schemePrivileges: SCHEME_PRIVILEGES,
  contentPolicy: CONTENT_POLICY,
  main: 'import { app } from "electron"; import { join } from "node:path";',
  preload: 'let electron = require("electron");',
  indexHtml: '<script type="module" src="/assets/index.js"></script>',
};

test('the configuration as it is passes', () => expect(findProblems(fine)).toEqual([]));

test.each<[string, Partial<Built>]>([
  ['fuse runAsNode', { fuses: { ...FUSES, runAsNode: true } }],
  ['web preference sandbox', { webPreferences: { ...WEB_PREFERENCES, sandbox: false } }],
  ['app:// secure', { schemePrivileges: { ...SCHEME_PRIVILEGES, secure: false } }],
  ['app:// bypassCSP', { schemePrivileges: { ...SCHEME_PRIVILEGES, bypassCSP: true } }],
  [
    'worker-src',
    { contentPolicy: CONTENT_POLICY.replace("worker-src 'self'", "worker-src 'none'") },
  ],
  [
    'script-src',
    { contentPolicy: CONTENT_POLICY.replace("script-src 'self'", "script-src 'self' blob:") },
  ],
  ['"pg"', { main: `${fine.main} import pg from "pg";` }],
  ['"node-fetch"', { main: 'const x = await import("node-fetch")' }],
  ['"fs"', { preload: 'require("node:fs")' }],
  ['https://cdn.example', { indexHtml: '<script src="https://cdn.example/x.js"></script>' }],
])('a planted %s is found', (name, change) => {
  const problems = findProblems({ ...fine, ...change });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(name);
});

test('modules are found however they are loaded', () => {
  const code = `import a from"x";import"y";const b=require('node:z');__require2("w");import("./own.js")`;
  expect(loadedModules(code)).toEqual(['x', 'y', 'z']);
});
