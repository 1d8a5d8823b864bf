import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { draw } from '#sandbox/pictures/draw.ts';
import { ORDERED_FACES, ORDERED_SCENES } from '#sandbox/pictures/scene-key.ts';
import { buildWeb } from '#server/start/web-build.ts';
import { keptUntilChanged } from '#test/kept-until-changed.ts';
import { findBrowser } from './browser.ts';
import { SANDBOX_FILES, startEmbedded } from './product.ts';
import { serveProducts } from './products-for-workers.ts';

const PRODUCT = ['server/{src,sandbox}/**/*.ts', 'shared/**/*.ts'];
const PICTURES = ['server/sandbox/pictures/**/*.ts'];

/**
 * Before the first test: those that begin at once would each unpack a browser, of 200 MB, and build the
 * pages where a source is newer.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [directory] = await Promise.all([
    buildWeb().then(() => keptUntilChanged('started', PRODUCT, startedDirectory)),
    findBrowser(),
  ]);
  project.provide('startedDirectory', directory);
  const products = await serveProducts(directory);
  project.provide('productsUrl', products.url);
  return products.stop;
}

async function startedDirectory(path: string): Promise<void> {
  const [product, pictures] = await Promise.all([
    startEmbedded(),
    keptUntilChanged('pictures', PICTURES, drawPictures),
  ]);
  await product.end();
  await cp(product.directory, path, { recursive: true });
  await cp(pictures, join(path, SANDBOX_FILES), { recursive: true });
  await product.stop();
}

/** All that accounts and posts made to order show. */
async function drawPictures(path: string): Promise<void> {
  for (const key of [...ORDERED_SCENES, ...ORDERED_FACES]) {
    await mkdir(join(path, dirname(key)), { recursive: true });
    await writeFile(join(path, key), await draw(key));
  }
}
