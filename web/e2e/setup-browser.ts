import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findBrowser } from './browser.ts';
import { startEmbedded } from './product.ts';

/** Before the first test: those that begin at once would each unpack a browser, of 200 MB. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await findBrowser();
  const directory = await mkdtemp(join(tmpdir(), 'ovation-started-'));
  const product = await startEmbedded();
  await product.end();
  await cp(product.directory, directory, { recursive: true });
  await product.stop();
  project.provide('startedDirectory', directory);
  return () => rm(directory, { recursive: true, force: true });
}
