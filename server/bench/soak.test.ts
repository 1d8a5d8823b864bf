import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patiently, WAIT_MS } from '#test/patience.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Green the first time, red the second; its numbers are drawn with a known seed. */
const FLAKY = `
import { appendFileSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { test } from 'vitest';
test('planted', () => {
  appendFileSync(import.meta.dirname + '/rounds.txt', 'x');
  const isSecond = readFileSync(import.meta.dirname + '/rounds.txt', 'utf8') === 'xx';
  fc.assert(fc.property(fc.nat(), () => !isSecond), { seed: 4711 });
});
test('innocent', () => undefined);
`;

/** Green where two rounds run at once: each waits for the other. */
const MEETING = `
import { appendFileSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
test('meets the other round', async () => {
  const met = import.meta.dirname + '/met.txt';
  appendFileSync(met, 'x');
  await expect.poll(() => readFileSync(met, 'utf8')).toBe('xx');
});
`;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ovation-planted-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'flaky.test.ts'), FLAKY);
  writeFileSync(join(folder, 'meeting.test.ts'), MEETING);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// Without the load, which tests beside this one would bear.
const soak = (words: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'soak.ts'), ...words], {
    encoding: 'utf8',
    env: { ...process.env, BUSY_CORES: '0', ...more },
  });

test('a test that fails in one round of two is told with its round and its seed', () => {
  const { status, stdout } = soak(['--root', folder, 'flaky.test.ts', '2']);
  expect(stdout).toContain('round 1 of 2: green\nround 2 of 2: red\n');
  expect(stdout).toMatch(/flaky\.test\.ts: planted\n +seed: 4711\n/);
  expect(stdout).not.toContain('innocent');
  expect(stdout).toContain('2 rounds, 1 red');
  expect(status).toBe(1);
});

test('rounds run at once where that is asked for', () => {
  const wait = patiently(WAIT_MS);
  const patient = [`--testTimeout=${wait}`, `--expect.poll.timeout=${wait}`];
  const { status, stdout } = soak(['--root', folder, ...patient, 'meeting.test.ts', '2'], {
    ROUNDS_AT_ONCE: '2',
  });
  expect(stdout).toContain('2 rounds, 0 red');
  expect(status).toBe(0);
});

test('without a file a soak says what to name', () => {
  const { status, stderr } = soak(['3']);
  expect(stderr).toContain('Name the files to repeat');
  expect(status).toBe(2);
});
