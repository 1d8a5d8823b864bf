import { defineConfig } from 'vitest/config';
import { LongestFirst } from './server/test/run/longest-first.ts';
import { temporaryFolder } from './server/test/run/temporary-folder.ts';

/** What is waited for comes when it comes; the default of one second is a machine's speed. */
const expect = { poll: { timeout: 15_000 } };

/**
 * What a test needs stands in its name: `.test.ts` nothing but the code, `.dom.test.ts` a page without
 * a browser, `.db.test.ts` a database (run on both engines), `.pg.test.ts` real Postgres, `.spec.ts` the whole product in a browser.
 */
export default defineConfig({
  plugins: [temporaryFolder()],
  test: {
    passWithNoTests: false,
    reporters: ['default', './server/test/tally-reporter.ts'],
    sequence: { sequencer: LongestFirst },
    // On two cores the default is one; a run took 16 min 51 s with it.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'code',
          include: ['{shared,server,web,desktop}/**/*.test.{ts,tsx}'],
          exclude: ['**/*.{db,pg}.test.ts', '**/*.dom.test.{ts,tsx}', '**/node_modules/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect,
          // No module keeps state of its own, so files may share theirs: a third less computing.
          isolate: false,
        },
      },
      {
        test: {
          name: 'dom',
          include: ['web/**/*.dom.test.{ts,tsx}'],
          environment: 'happy-dom',
          setupFiles: 'web/src/testing/dom/setup.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect,
          isolate: false,
        },
      },
      {
        test: {
          name: 'pglite',
          include: ['server/**/*.db.test.ts'],
          isolate: false,
          globalSetup: 'server/test/setup-pglite.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect,
        },
      },
      {
        test: {
          name: 'postgres',
          include: ['server/**/*.{db,pg}.test.ts'],
          isolate: false,
          globalSetup: 'server/test/setup-postgres.ts',
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['{web,desktop}/e2e/**/*.spec.ts'],
          globalSetup: 'web/e2e/setup-browser.ts',
          testTimeout: 180_000,
          hookTimeout: 120_000,
          maxWorkers: 3,
          // Projects with other numbers of workers run one after another: vitest demands an order of them.
          sequence: { groupOrder: 1 },
          expect,
        },
      },
    ],
  },
});
