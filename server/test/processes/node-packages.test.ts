import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const GATE = pathToFileURL(join(ROOT, 'server/src/main/node-version.mjs')).href;

interface Lock {
  packages: Record<string, { version: string; resolved?: string; os?: string; cpu?: string }>;
}

const readJson = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), 'utf8'));
const { optionalDependencies: nodes } = readJson('package.json') as {
  optionalDependencies: Record<string, string>;
};
const { packages } = readJson('package-lock.json') as Lock;

/** Runs the gate as if this were that version of Node. */
function startWith(version: string): { status: number | null; said: string } {
  const code = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });
    await import('${GATE}');`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code]);
  return { status, said: stderr.toString() };
}

test('each platform brings a Node that the gate lets in, the one of the lock file', () => {
  const platforms = Object.entries(nodes).map(([name, version]) => {
    const locked = packages[`node_modules/${name}`];
    expect(locked?.version).toBe(version);
    expect([version, startWith(version).status]).toEqual([version, 0]);
    return `${locked?.os}-${locked?.cpu}`;
  });
  expect(platforms.sort()).toEqual([
    'darwin-arm64',
    'darwin-x64',
    'linux-arm64',
    'linux-x64',
    'win32-x64',
  ]);
});

test.each(['20.20.2', '23.11.0', '24.0.0', '24.17.9'])('Node %s is refused in one line', (old) => {
  const { status, said } = startWith(old);
  expect(status).toBe(1);
  expect(said).toMatch(/^This needs Node 24\.18 or newer and runs on [\d.]+: [^\n]+\n$/);
});

test('the lock file names packages, not where this machine got them', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});
