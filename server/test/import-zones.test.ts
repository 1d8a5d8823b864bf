import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A planted import, and what the developer must be told. */
const PLANTED: Array<[file: string, line: string, told: string]> = [
  ['shared/domain/a.ts', `import { join } from 'node:path';`, 'runs in browsers too'],
  ['shared/domain/b.ts', `import { Hono } from 'hono';`, 'depends on valibot only'],
  ['shared/domain/c.ts', `import { x } from '#server/deps.ts';`, 'web/src/api'],
  [
    'server/src/features/a/a.service.ts',
    `import { x } from './a.routes.ts';`,
    'never calls a route',
  ],
  [
    'server/src/features/a/a.repository.ts',
    `import { x } from './a.service.ts';`,
    'call downwards only',
  ],
  ['server/src/features/a/b.service.ts', `import { Hono } from 'hono';`, 'Hono stays in'],
  ['server/src/features/a/c.service.ts', `import pg from 'pg';`, 'Only server/src/db'],
  ['server/src/features/a/d.service.ts', `import { request } from 'undici';`, 'through a port'],
  ['server/src/features/a/e.service.ts', `import { x } from '#sandbox/state.ts';`, 'outside world'],
  [
    'server/src/features/a/f.service.ts',
    `import { x } from '#test/fake-clock.ts';`,
    'never imports test code',
  ],
  ['server/src/features/a/g.service.ts', `import { x } from '#web/main.tsx';`, 'may import the UI'],
  ['server/src/features/a/h.service.ts', `void fetch('http://x');`, 'Outside calls live in'],
  ['server/sandbox/a.ts', `import { x } from '#server/deps.ts';`, 'only by its protocols'],
  ['web/src/features/a/a.tsx', `import { x } from '#server/app.ts';`, 'web/src/api'],
  [
    'web/src/features/a/b.tsx',
    `import { x } from '#web/app/router.tsx';`,
    'Features never import app',
  ],
  [
    'web/src/features/a/c.tsx',
    `import { x } from '#web/features/b/b.tsx';`,
    'do not import each other',
  ],
  ['web/src/components/a.tsx', `import { x } from '#web/features/b/b.tsx';`, 'Lower layers'],
  ['web/src/sync/a.ts', `import { useState } from 'react';`, 'knows no React'],
  ['web/src/local-db/a.ts', `import { create } from 'zustand';`, 'knows no React'],
  ['desktop/main/a.ts', `import { x } from '#web/mount-app.tsx';`, 'may import the UI'],
];

let folder: string;
let reported: Map<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ovation-zones-'));
  await cp(join(ROOT, 'oxlint.config.ts'), join(folder, 'oxlint.config.ts'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const [file, line] of PLANTED) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), `${line}\n`);
  }
  const oxlint = join(ROOT, 'node_modules/oxlint/bin/oxlint');
  // Exit code 1 is the point: every file breaks a rule.
  const { stdout } = await run(process.execPath, [oxlint, '-f', 'json'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: Array<{ filename: string; help?: string; message: string }>;
  };
  reported = new Map(
    PLANTED.map(([file]) => [
      file,
      diagnostics
        .filter(({ filename }) => filename === file)
        .map(({ message, help }) => `${message} ${help ?? ''}`)
        .join('\n'),
    ]),
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(PLANTED)('%s may not: %s', (file, _line, told) => {
  expect(reported.get(file)).toContain(told);
});
