import { expect, test } from 'vitest';
import {
  filesOf,
  gzipBytes,
  type Manifest,
  readManifest,
  ROUTE_MODULES,
  routeSizes,
  unweighedPages,
} from './route-sizes.ts';

const manifest: Manifest = {
  'index.html': { file: 'index.js', isEntry: true, imports: ['_react.js'] },
  'src/one-page.tsx': { file: 'one.js', isDynamicEntry: true, imports: ['_react.js', '_form.js'] },
  '_react.js': { file: 'react.js' },
  '_form.js': { file: 'form.js', imports: ['_react.js'] },
};
const routes = { '/one': ['index.html', 'src/one-page.tsx'] };

test('a file that several modules bring along is counted once', () => {
  expect(filesOf(manifest, routes['/one'])).toEqual(['index.js', 'react.js', 'one.js', 'form.js']);
});

test('a library that grows too large behind an import is found', () => {
  const sizes = (formBytes: number) =>
    routeSizes(manifest, (file) => (file === 'form.js' ? formBytes : 1000), routes);
  const isTooLarge = ({ kilobytes, most }: { kilobytes: number; most: number }) => kilobytes > most;
  expect(sizes(100_000).filter(isTooLarge)).toEqual([]);
  expect(sizes(248_000).filter(isTooLarge)).toHaveLength(1);
});

test('a page that nobody weighs is found', () => {
  expect(unweighedPages(manifest, routes)).toEqual([]);
  expect(unweighedPages(manifest, {})).toEqual(['src/one-page.tsx']);
});

test('JavaScript for the landing page is at most 120 kB compressed, for any other route 250 kB', () => {
  const built = readManifest();
  expect(unweighedPages(built)).toEqual([]);
  const heavy = routeSizes(built, gzipBytes).filter(({ kilobytes, most }) => kilobytes > most);
  expect(heavy).toEqual([]);
});

test('a page asks for at most 12 scripts', () => {
  const built = readManifest();
  const asked = Object.entries(ROUTE_MODULES).map(([route, modules]) => ({
    route,
    scripts: filesOf(built, modules).length,
  }));
  expect(asked.filter(({ scripts }) => scripts > 12)).toEqual([]);
});
