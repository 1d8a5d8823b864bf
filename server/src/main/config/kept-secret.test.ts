import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemRandom } from '#server/main/system.ts';
import { keptSecret } from './kept-secret.ts';

let dataDir: string;
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'ovation-secret-'))));
afterEach(() => rmSync(dataDir, { recursive: true }));

test('the secret is made once and kept where only its owner reads it', () => {
  const first = keptSecret(dataDir, 'app-secret', systemRandom);
  expect(first.length).toBeGreaterThanOrEqual(32);
  expect(keptSecret(dataDir, 'app-secret', systemRandom)).toBe(first);
  const path = join(dataDir, 'app-secret');
  expect(readFileSync(path, 'utf8')).toBe(first);
  expect(statSync(path).mode & 0o077).toBe(0);
});
