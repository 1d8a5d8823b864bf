import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildWeb } from '#server/main/start/web-build.ts';
import { bundled } from '#test/processes/bundled.ts';
import { keptUntilChanged } from '#test/databases/kept-until-changed.ts';
import { plantDatabase } from '#test/databases/migrated-image.ts';
import { startMigratedPostgres } from '#test/databases/migrated-postgres.ts';
import { SHORT_LIVED } from '#test/processes/process.ts';
import { findBrowser } from './browser.ts';
import { startEmbedded, startSingle } from './product.ts';
import { serveProducts } from './products-for-run.ts';

const PRODUCT = ['server/{src,sandbox}/**/*.{ts,sql}', 'shared/**/*.ts'];

/**
 * Before the first test: those that begin at once would each unpack a browser, of 200 MB, and build the
 * pages where a source is newer.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [directory, , postgres] = await Promise.all([
    buildWeb().then(() => keptUntilChanged('started', PRODUCT, startedDirectory)),
    findBrowser(),
    startMigratedPostgres(),
  ]);
  const startFrom = { directory, postgresUrl: postgres.baseUrl };
  project.provide('startFrom', startFrom);
  const products = await serveProducts((cardEntry) =>
    startSingle(startFrom, { CARD_ENTRY: cardEntry }),
  );
  project.provide('productsUrl', products.url);
  return async () => {
    await products.stop();
    await postgres.stop();
  };
}

/** Of a first start, but for the making of the database, which takes most of one. */
async function startedDirectory(path: string): Promise<void> {
  const planted = await mkdtemp(join(tmpdir(), 'ovation-planted-'));
  await plantDatabase(planted);
  const product = await startEmbedded(planted, 'off', {
    command: [await bundled('server/src/main/start.ts')],
    nodeArguments: SHORT_LIVED,
  });
  await product.end();
  await cp(product.directory, path, { recursive: true });
  await product.stop();
  await rm(planted, { recursive: true });
}
