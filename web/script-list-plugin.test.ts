import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { integrityOf, listScripts } from './script-list-plugin.ts';

const directory = mkdtempSync(join(tmpdir(), 'ovation-scripts-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('each script of a build is listed with the hash of its bytes and a reason, nothing else is', async () => {
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'color-scheme.js'), 'one');
  writeFileSync(join(directory, 'assets/checkout-B2llibHV.js'), 'two');
  writeFileSync(join(directory, 'assets/news-A_-1bHVx.js'), 'three');
  writeFileSync(join(directory, 'assets/index-B2llibHV.css'), 'four');
  expect(await listScripts(directory)).toEqual([
    {
      path: '/assets/checkout-B2llibHV.js',
      integrity: integrityOf('two'),
      reason: expect.stringMatching(/^The checkouts/),
    },
    {
      path: '/assets/news-A_-1bHVx.js',
      integrity: integrityOf('three'),
      reason: expect.stringMatching(/\(news\)$/),
    },
    {
      path: '/color-scheme.js',
      integrity: integrityOf('one'),
      reason: 'Sets light or dark before anything is drawn',
    },
  ]);
});

test('a hash is one that browsers understand', () => {
  expect(integrityOf('')).toBe(
    'sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb',
  );
});
