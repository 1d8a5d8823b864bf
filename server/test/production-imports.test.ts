import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
/** Lies beside the product in one package, and is for playing and building. */
const NOT_IN_PRODUCTION = /^(?:server\/(?:sandbox|test|bench)\/|vite$|smtp-server$|@vitejs\/)/;
const IMPORTS = /^(?:import|export)\s(?!type\b)[^;]*?from\s+'([^']+)';|^import\s+'([^']+)';/gm;

/** Files and packages that a file loads when it starts, with all that these load. */
function loadedBy(entry: string): Set<string> {
  const loaded = new Set<string>();
  const waiting = [join(ROOT, entry)];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    const name = relative(ROOT, file);
    if (loaded.has(name)) continue;
    loaded.add(name);
    if (!file.endsWith('.ts')) continue;
    const { resolve } = createRequire(file);
    for (const [, from, only] of readFileSync(file, 'utf8').matchAll(IMPORTS)) {
      const wanted = from ?? only ?? '';
      if (/^[.#]/.test(wanted)) waiting.push(resolve(wanted));
      else loaded.add(wanted);
    }
  }
  return loaded;
}

test.each(['server/src/main/serve.ts', 'server/src/main/work.ts'])(
  'what %s loads in production is neither the sandbox nor a tool of the build',
  (entry) => {
    const loaded = [...loadedBy(entry)];
    expect(loaded.length).toBeGreaterThan(100);
    expect(loaded).toContain('hono');
    expect(loaded.filter((name) => NOT_IN_PRODUCTION.test(name))).toEqual([]);
  },
);

test('of the sandbox it is seen that it loads such a tool', () => {
  const loaded = [...loadedBy('server/sandbox/main.ts')];
  expect(loaded.filter((name) => NOT_IN_PRODUCTION.test(name))).toContain('smtp-server');
});
