import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { ON_BOTH_ENGINES } from './server/test/run/engines.ts';
import { COMPILED, SHORT_LIVED } from './server/test/processes/process.ts';
import { patiently, setPatience, TEST_MS, WAIT_MS } from './server/test/patience.ts';
import { LongestFirst } from './server/test/run/longest-first.ts';
import { measurePatience } from './server/test/run/measure-patience.ts';
import { temporaryFolder } from './server/test/run/temporary-folder.ts';

// Once: projects with settings of their own load this file again.
if (process.env['TEST_PATIENCE'] === undefined) setPatience(measurePatience());
// For workers, and for the processes that tests start.
process.env['NODE_COMPILE_CACHE'] = COMPILED;
const deadlines = {
  testTimeout: patiently(TEST_MS),
  hookTimeout: patiently(TEST_MS),
  expect: { poll: { timeout: patiently(WAIT_MS) } },
};

/** What a database test computes is its database’s: hashes of passwords and PDFs take little. */
const resolve = {
  alias: [
    {
      find: /^@node-rs\/argon2$/,
      replacement: join(import.meta.dirname, 'server/test/light-argon2.ts'),
    },
    {
      find: /^#server\/kit\/pdf\/pdf-thread\.ts$/,
      replacement: join(import.meta.dirname, 'server/test/light-pdf-thread.ts'),
    },
  ],
};

/**
 * After browsers and processes, which wait a lot: one worker more than the cores of the machine it is made for,
 * because a few files wait by the clock, and modules come from vitest's own process.
 */
const computing = { maxWorkers: 3, sequence: { groupOrder: 1 } };

/** On the embedded database. */
const embedded = {
  ...computing,
  isolate: false,
  globalSetup: 'server/test/databases/setup-pglite.ts',
  ...deadlines,
};

/**
 * What a test needs stands in its name: `.test.ts` nothing but the code, `.dom.test.ts` a page without
 * a browser, `.db.test.ts` a database (`engines.ts` says which run on both), `.pg.test.ts` real Postgres,
 * `.process.test.ts` processes of the product, `.spec.ts` the whole product in a browser.
 */
export default defineConfig({
  plugins: [temporaryFolder()],
  test: {
    passWithNoTests: false,
    reporters: ['default', './server/test/tally-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // Two for each core of the machine it is made for: half of a browser's or a process's time is waiting.
    maxWorkers: 4,
    // Tests side by side in one file wait for processes of their own.
    maxConcurrency: 3,
    projects: [
      {
        test: {
          name: 'code',
          include: ['{shared,server,web,desktop}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.{db,pg,process}.test.ts', '**/*.dom.test.{ts,tsx}', '**/node_modules/**'],
          ...deadlines,
          ...computing,
          // No module keeps state of its own, so files may share theirs: a third less computing.
          isolate: false,
        },
      },
      {
        // React as people have it: a good part of what its other form computes is where each element came from.
        oxc: { jsx: { runtime: 'automatic', development: false } },
        test: {
          name: 'dom',
          // Forms offer the country of the time zone first, which must not be the machine's.
          env: { NODE_ENV: 'production', TZ: 'UTC' },
          include: ['{web,desktop}/**/*.dom.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: 'web/src/testing/dom/setup.ts',
          ...deadlines,
          ...computing,
          // What a page without a browser waits for is its own next turn.
          expect: { poll: { ...deadlines.expect.poll, interval: 4 } },
          isolate: false,
        },
      },
      {
        test: {
          name: 'process',
          include: ['{server,desktop}/**/*.process.test.ts'],
          // Their workers open an embedded database for a moment, too.
          execArgv: SHORT_LIVED,
          isolate: false,
          ...deadlines,
        },
      },
      { resolve, test: { name: 'engines', include: ON_BOTH_ENGINES, ...embedded } },
      { resolve, test: { name: 'pglite', include: ['server/**/*.db.test.ts'], ...embedded } },
      {
        resolve,
        test: {
          name: 'postgres',
          include: ['server/**/*.{db,pg}.test.ts'],
          isolate: false,
          ...computing,
          globalSetup: 'server/test/databases/setup-postgres.ts',
          ...deadlines,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['{web,desktop}/e2e/**/*.spec.ts'],
          globalSetup: 'web/e2e/setup-browser.ts',
          isolate: false,
          ...deadlines,
          // Each look asks the browser, which computes 2 to 7 ms for it.
          expect: { poll: { ...deadlines.expect.poll, interval: 100 } },
        },
      },
    ],
  },
});
