import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentPolicy } from '#shared/domain/words/content-policy.ts';
import { openRendererFiles, SCHEME_PRIVILEGES } from './app-handler.ts';

test('only files of the bundle are read, by exactly their names', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'ovation-renderer-'));
  const root = join(directory, 'renderer');
  await mkdir(join(root, 'assets'), { recursive: true });
  await writeFile(join(root, 'assets', 'app.js'), 'run()');
  await writeFile(join(root, 'notes.unknown'), 'x');
  await writeFile(join(directory, 'secret.js'), 'secret');
  const read = await openRendererFiles(root);

  const file = await read('assets/app.js');
  expect(file?.mediaType).toBe('text/javascript; charset=utf-8');
  expect(new TextDecoder().decode(file?.body)).toBe('run()');
  const strangers = [
    '../secret.js',
    'assets/../../secret.js',
    join(directory, 'secret.js'),
    'assets',
    '',
    'notes.unknown',
  ];
  for (const path of strangers) expect(await read(path)).toBeUndefined();
  await rm(directory, { recursive: true });
});

test('the scheme of the window may what https may, and no more', () => {
  expect(SCHEME_PRIVILEGES).toEqual({
    standard: true,
    secure: true,
    supportFetchAPI: true,
    stream: true,
    codeCache: true,
    bypassCSP: false,
    allowServiceWorkers: false,
    corsEnabled: false,
    allowExtensions: false,
  });
});

test('sync runs in a worker of the bundle, and no script comes from elsewhere', () => {
  const rules = contentPolicy({ way: 'form' }).split('; ');
  expect(rules.find((rule) => rule.startsWith('worker-src '))).toContain("'self'");
  expect(rules).toContain("script-src 'self'");
});
