import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const PAGES = join(import.meta.dirname, 'pages');
const FOLDERS: Readonly<Record<string, string>> = { shared: 'shared', web: 'web/src' };

// No compiler reads them: they are built beside peers that the product doesn't have.
test.each(readdirSync(PAGES))('what %s imports of the product is there', (page) => {
  const text = readFileSync(join(PAGES, page), 'utf8');
  const missing = [...text.matchAll(/from '#(\w+)\/([^']+)'/g)].flatMap(
    ([, wing = '', path = '']) =>
      existsSync(join(ROOT, FOLDERS[wing] ?? wing, path)) ? [] : [`#${wing}/${path}`],
  );
  expect(missing).toEqual([]);
});
