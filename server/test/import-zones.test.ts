import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IDENTITY, IDENTITY_ORDER, MONEY, MONEY_ORDER, ORDER, WINGS } from '../../oxlint.server.ts';
import { FEATURES, REPLICA, REPLICA_ORDER, ROOM_ORDER, ROOMS, WORKER } from '../../oxlint.web.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** A planted import, and what the developer must be told. */
const PLANTED: Array<[file: string, line: string, told: string]> = [
  ['shared/domain/a.ts', `import { join } from 'node:path';`, 'runs in browsers too'],
  ['shared/domain/b.ts', `import { Hono } from 'hono';`, 'depends on valibot only'],
  ['shared/domain/c.ts', `import { x } from '#server/kit/deps.ts';`, 'web/src/api'],
  [
    'server/src/money/cards/a.service.ts',
    `import { x } from './a.routes.ts';`,
    'never calls a route',
  ],
  [
    'server/src/money/cards/a.repository.ts',
    `import { x } from './a.service.ts';`,
    'call downwards only',
  ],
  ['server/src/money/cards/b.service.ts', `import { Hono } from 'hono';`, 'Hono stays in'],
  ['server/src/money/cards/c.service.ts', `import pg from 'pg';`, 'Only server/src/kit/db'],
  ['server/src/money/cards/d.service.ts', `import { request } from 'undici';`, 'through a port'],
  [
    'server/src/money/cards/e.service.ts',
    `import { x } from '#sandbox/state.ts';`,
    'outside world',
  ],
  [
    'server/src/money/cards/f.service.ts',
    `import { x } from '#test/fake-clock.ts';`,
    'never imports test code',
  ],
  [
    'server/src/money/cards/g.service.ts',
    `import { x } from '#web/main.tsx';`,
    'may import the UI',
  ],
  ['server/src/money/cards/h.service.ts', `void fetch('http://x');`, 'Outside calls live in'],
  ['server/src/adapters/a/a.ts', `import { x } from '#server/kit/a.ts';`, 'nothing of ours'],
  ['server/src/kit/a.ts', `import { x } from '#server/audit/a.ts';`, 'decides nothing'],
  ['server/src/audit/a.ts', `import { x } from '../mail/a.ts';`, 'asks nobody'],
  ['server/src/mail/a.ts', `import { x } from '#server/audit/a.ts';`, 'mail-facts.repository.ts'],
  ['server/src/identity/a/a.ts', `import { x } from '../../money/a/a.ts';`, 'let a use case'],
  ['server/src/network/a/a.ts', `import { x } from '#server/delivery/a.ts';`, 'PostEvents'],
  [
    'server/src/delivery/a/a.service.ts',
    `import type { X } from '#server/money/a/a.ts';`,
    'don’t know who pays',
  ],
  [
    'server/src/money/cards/i.repository.ts',
    `import { x } from '#server/use-cases/a.ts';`,
    'what crosses wings is a use case',
  ],
  ['server/src/use-cases/a.ts', `import { x } from '#server/replica/a.ts';`, 'plain results'],
  ['server/src/replica/a.ts', `import { x } from '#server/read-model/a.ts';`, 'Projection'],
  ['server/src/read-model/a.ts', `import { x } from '#server/routes/a.ts';`, 'is stored'],
  ['server/src/routes/a.routes.ts', `import { x } from '#server/ops/a.ts';`, 'main/app.ts'],
  ['server/src/ops/a/a.ts', `import { x } from '#server/main/app.ts';`, 'started by main/'],
  ['server/src/identity/limits/a.ts', `import { x } from '../users/b.ts';`, 'what it is told'],
  ['server/src/identity/promo/a.ts', `import { x } from '../users/b.ts';`, 'who is given one'],
  [
    'server/src/identity/users/a.ts',
    `import type { X } from '../sessions/b.ts';`,
    'what takes a session',
  ],
  ['server/src/identity/sessions/a.ts', `import { x } from '../members/b.ts';`, 'people.ts'],
  [
    'server/src/identity/members/a.ts',
    `import { x } from '#server/identity/recovery/b.ts';`,
    'who recovers',
  ],
  ['server/src/identity/recovery/a.ts', `import { x } from '../push/b.ts';`, 'ends in a session'],
  ['server/src/identity/push/a.ts', `import { x } from '../http/b.ts';`, 'goes to sessions'],
  ['server/src/money/cards/h.ts', `import { x } from '../charges/b.ts';`, 'knows no payment'],
  ['server/src/money/charges/a.ts', `import type { X } from '../budgets/b.ts';`, 'what it buys'],
  ['server/src/money/budgets/a.ts', `import { x } from '../settlement/b.ts';`, 'wants to spend'],
  ['server/src/money/credits/a.ts', `import { x } from '../checkout/b.ts';`, 'what it is told'],
  ['server/src/money/documents/a.ts', `import { x } from '../settlement/b.ts';`, 'says when'],
  [
    'server/src/money/subscriptions/a.ts',
    `import { x } from '#server/money/renewals/b.ts';`,
    'What becomes of a plan',
  ],
  ['server/src/money/service-credit/a.ts', `import { x } from '../refunds/b.ts';`, 'whoever pays'],
  ['server/src/money/settlement/a.ts', `import { x } from '../payments/b.ts';`, 'how it ended'],
  ['server/src/money/checkout/a.ts', `import { x } from '../renewals/b.ts';`, 'answers its form'],
  ['server/src/money/cancellation/a.ts', `import { x } from '../refunds/b.ts';`, 'by a date'],
  ['server/src/money/refunds/a.ts', `import { x } from '../disputes/b.ts';`, 'ends plans'],
  ['server/src/money/renewals/a.ts', `import { x } from '../plan-changes/b.ts';`, 'by its date'],
  [
    'server/src/money/plan-changes/a.ts',
    `import { x } from '../disputes/b.ts';`,
    'quoted and paid',
  ],
  ['server/src/money/disputes/a.ts', `import { x } from '../payments/b.ts';`, 'hears of it'],
  ['server/src/money/payments/a.ts', `import { x } from '#server/routes/b.ts';`, 'plain results'],
  ['server/sandbox/a.ts', `import { x } from '#server/kit/deps.ts';`, 'only by its protocols'],
  ['web/src/features/accounts/a.tsx', `import { x } from '#server/main/app.ts';`, 'web/src/api'],
  [
    'web/src/features/accounts/b.tsx',
    `import { x } from '#web/app/router.tsx';`,
    'Features never import app',
  ],
  [
    'web/src/features/accounts/c.tsx',
    `import { x } from '#web/features/billing/b.tsx';`,
    'do not import each other',
  ],
  ['web/src/theme/a.ts', `import { x } from '#web/ui/a.tsx';`, 'knows nobody'],
  ['web/src/ui/a.tsx', `import { x } from '#web/features/posts/b.tsx';`, 'is pure'],
  ['web/src/ui/b/a.tsx', `import type { X } from '#web/api/client.ts';`, 'is pure'],
  ['web/src/ui/b/b.tsx', `import { x } from '../../platform/dialogs.ts';`, 'is pure'],
  ['web/src/api/a.ts', `import { x } from '#web/replica/b.ts';`, 'carries calls'],
  ['web/src/platform/a.ts', `import { x } from '#web/customer/b.ts';`, 'knows no customer'],
  ['web/src/replica/c.ts', `import { x } from '#web/customer/b.ts';`, 'knows no screen'],
  ['web/src/customer/a.ts', `import { x } from '../payments/b.ts';`, 'the same on every page'],
  ['web/src/payments/a/a.ts', `import { x } from '#web/app/b.ts';`, 'shared by features'],
  [
    'web/src/features/posts/a/d.tsx',
    `import { x } from '../../billing/b.tsx';`,
    'do not import each other',
  ],
  ['web/src/app/a.ts', `import { x } from '#web/service-worker/b.ts';`, ROOM_ORDER],
  ['web/src/replica/a.ts', `import { useState } from 'react';`, 'knows no React'],
  ['web/src/replica/b.ts', `import { create } from 'zustand';`, 'knows no React'],
  [
    'web/src/replica/store/a.ts',
    `import type { X } from '../outbox/b.ts';`,
    'keeps what it is given',
  ],
  ['web/src/replica/network/a.ts', `import { x } from '../queries/b.ts';`, 'know no replica'],
  [
    'web/src/replica/queries/a.ts',
    `import { x } from '#web/replica/outbox/b.ts';`,
    'who changes it is above',
  ],
  ['web/src/replica/outbox/a.ts', `import { x } from '../engine/b.ts';`, 'runs the engine'],
  ['web/src/replica/pictures/a.ts', `import { x } from '../engine/b.ts';`, 'when the engine says'],
  ['web/src/replica/engine/a.ts', `import { x } from '#web/customer/b.ts';`, 'knows no screen'],
  ['desktop/main/a.ts', `import { x } from '#web/mount-app.tsx';`, 'may import the UI'],
  ['server/src/money/cards/j.ts', `import { x } from '../../money/refunds/b.ts';`, 'no payment'],
  ['server/sandbox/b.ts', `import { x } from '#test/fake-clock.ts';`, 'never imports test'],
  ['web/src/ui/c.ts', `import { x } from '../../../web/src/customer/b.ts';`, 'is pure'],
  ['web/src/features/posts/e.ts', `import { x } from '#web/testing/b.ts';`, 'imports test code'],
  ['desktop/main/b.ts', `import { x } from '../testing/fake-window.ts';`, 'imports test code'],
  ['desktop/renderer/a.ts', `import { x } from '#server/kit/token.ts';`, 'web/src/api'],
  ['desktop/ipc.ts', `import { x } from '#server/kit/token.ts';`, 'web/src/api'],
];

let folder: string;
let reported: Map<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ovation-zones-'));
  for (const config of ['oxlint.config.ts', 'oxlint.server.ts', 'oxlint.web.ts']) {
    await cp(join(ROOT, config), join(folder, config));
  }
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

/** The folders in a folder that have code. */
const foldersIn = (path: string): Set<string> =>
  new Set(
    globSync('*/**/*.{ts,tsx}', { cwd: join(ROOT, path) }).map((file) => file.split('/')[0] ?? ''),
  );

test('every file of the server stands in a wing that has a place in the order', () => {
  const wings = WINGS.flatMap((level) => Object.keys(level));
  const files = globSync('**/*.ts', { cwd: join(ROOT, 'server/src') });
  expect(new Set(files.map((file) => file.split('/')[0]))).toEqual(new Set(wings));
  expect(foldersIn('server/src/identity')).toEqual(new Set(Object.keys(IDENTITY)));
  expect(foldersIn('server/src/money')).toEqual(new Set(Object.keys(MONEY)));
});

test('every folder of the UI is a room that has a place in the order, every feature is known', () => {
  expect(foldersIn('web/src')).toEqual(new Set([...Object.keys(ROOMS), WORKER, 'testing']));
  expect(foldersIn('web/src/features')).toEqual(new Set(FEATURES));
  expect(foldersIn('web/src/replica')).toEqual(new Set(Object.keys(REPLICA)));
});

/**
 * What the list of folders tells: of each folder, those in it; of some, theirs, before a semicolon.
 */
function toldFolders(page: string): Map<string, string[]> {
  const list = page.split('\n## Folders\n')[1]?.split('```')[1] ?? '';
  const told = new Map<string, string[]>();
  let parent = '';
  for (const line of list.replaceAll(/\n {4,}/g, ' ').split('\n')) {
    const [, indent = '', name = '', words = ''] = /^( *)(\S+?)\/? +(.*)$/.exec(`${line} `) ?? [];
    if (name === '') continue;
    if (indent === '') {
      parent = name;
      continue;
    }
    told.set(parent, [...(told.get(parent) ?? []), name]);
    if (NOUNS.has(`${parent}/${name}`)) {
      told.set(`${parent}/${name}`, words.split(';')[0]?.split(', ') ?? []);
    }
  }
  return told;
}

/** Folders whose own folders are nouns of the product, so that one is looked for by its name. */
const NOUNS = new Set([
  ...['delivery', 'identity', 'money', 'network', 'ops', 'use-cases'].map(
    (wing) => `server/src/${wing}`,
  ),
  'web/src/features',
]);

test('the folders are those that the architecture lists', async () => {
  const told = toldFolders(await readFile(join(ROOT, 'docs/architecture.md'), 'utf8'));
  const known = ['desktop', 'server/src', 'shared', 'web/src', ...NOUNS].map((folder) => [
    folder,
    foldersIn(folder),
  ]);
  expect(Object.fromEntries([...told].map(([folder, names]) => [folder, new Set(names)]))).toEqual(
    Object.fromEntries(known),
  );
});

test('the orders are those that the architecture tells', async () => {
  const told = await readFile(join(ROOT, 'docs/architecture.md'), 'utf8');
  expect(told).toContain(`\n${ORDER}\n`);
  expect(told).toContain(`\n${IDENTITY_ORDER}\n`);
  expect(told).toContain(`\n${MONEY_ORDER}\n`);
  expect(told).toContain(`\n${ROOM_ORDER}\n`);
  expect(told).toContain(`\n${REPLICA_ORDER}\n`);
});
