import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page, Response } from 'playwright-core';
import { expect } from 'vitest';
import { SCRIPT_LIST } from '#shared/domain/page-paths.ts';
import { integrityOf, type ListedScript } from '../script-list-plugin.ts';
import type { Journeys } from './subscriber.ts';

/** The scripts that the build has listed. */
export const listed = JSON.parse(
  readFileSync(join(import.meta.dirname, '../dist', SCRIPT_LIST), 'utf8'),
) as ListedScript[];

/** What the build hasn't listed of all scripts a page asks for from here on, workers' too, or that stand in it. */
export function watchScripts({ product }: Journeys, page: Page): () => Promise<string[]> {
  const loaded: Array<Promise<{ path: string; integrity: string }>> = [];
  const note = async (response: Response) => {
    const { origin, pathname, href } = new URL(response.url());
    const path = origin === new URL(product.url).origin ? pathname : href;
    return { path, integrity: integrityOf(await bytesOf(response)) };
  };
  /** Chromium forgets what a page or a worker has loaded once it is left: then whoever sent it is asked. */
  const bytesOf = (response: Response): Promise<Buffer> =>
    response.body().catch(async () => (await page.request.get(response.url())).body());
  const hear = (response: Response): void => {
    const type = response.headers()['content-type'] ?? '';
    if (type.includes('javascript') && response.status() === 200) loaded.push(note(response));
  };
  page.on('response', hear);
  return async () => {
    // What comes while the page is closed has no bytes to look at.
    page.off('response', hear);
    expect(loaded.length).toBeGreaterThan(3);
    const known = new Set(listed.map(({ path, integrity }) => `${path} ${integrity}`));
    const asked = (await Promise.all(loaded)).filter(
      ({ path, integrity }) => !known.has(`${path} ${integrity}`),
    );
    const inline = await page.locator('script:not([src])').count();
    return [...asked.map(({ path }) => path), ...Array.from({ length: inline }, () => 'inline')];
  };
}
