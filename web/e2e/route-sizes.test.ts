import { RemoveScroll } from '@mantine/core';
import { expect, test } from 'vitest';
import { FULL_WIDTH, roomOf } from '../chunk-groups.ts';
import {
  broughtBy,
  countShellFiles,
  fetchedLater,
  gzipBytes,
  type Manifest,
  readManifest,
  ROUTES,
  routeSizes,
  unweighed,
} from './route-sizes.ts';

const manifest: Manifest = {
  'index.html': { file: 'index.js', name: 'index', imports: ['_react'], dynamicImports: ['_one'] },
  _one: { file: 'one.js', name: 'one', imports: ['_react', '_form'], dynamicImports: ['_rare'] },
  _react: { file: 'react.js', name: 'react' },
  _form: { file: 'form.js', name: 'form', imports: ['_react'] },
  _rare: { file: 'rare.js', name: 'later' },
};
const routes = { '/one': ['index', 'one'] };
const filesOf = (names: readonly string[], isLaterToo?: boolean) =>
  broughtBy(manifest, names, isLaterToo).map(({ file }) => file);

test('a file that several modules bring along is counted once', () => {
  expect(filesOf(routes['/one'])).toEqual(['index.js', 'react.js', 'one.js', 'form.js']);
  expect(filesOf(['one'], true)).toEqual(['one.js', 'react.js', 'form.js', 'rare.js']);
});

test('a library that grows too large behind an import is found', () => {
  const sizes = (formBytes: number) =>
    routeSizes(manifest, (file) => (file === 'form.js' ? formBytes : 1000), routes);
  const isTooLarge = ({ kilobytes, limit }: { kilobytes: number; limit: number }) =>
    kilobytes > limit;
  expect(sizes(100_000).filter(isTooLarge)).toEqual([]);
  expect(sizes(248_000).filter(isTooLarge)).toHaveLength(1);
});

test('a page that nobody weighs is found', () => {
  expect(unweighed(manifest, routes)).toEqual([]);
  expect(unweighed(manifest, {})).toEqual(['one']);
  expect(roomOf('src/features/billing/billing-page.tsx')).toBe('billing');
  expect(() => roomOf('src/features/new/new-page.tsx')).toThrow('new-page.tsx has no room');
});

test('JavaScript for the landing page is at most 120 kB compressed, for any other route 250 kB', () => {
  const built = readManifest();
  expect(unweighed(built)).toEqual([]);
  const heavy = routeSizes(built, gzipBytes).filter(({ kilobytes, limit }) => kilobytes > limit);
  expect(heavy).toEqual([]);
});

test('a page asks for at most 12 scripts and 4 style sheets, with all that it fetches later', () => {
  const built = readManifest();
  const asked = Object.entries(ROUTES).map(([route, names]) => {
    const chunks = broughtBy(built, [...names, ...fetchedLater(names)]);
    const sheets = new Set(chunks.flatMap(({ css = [] }) => css));
    // The one that sets the colors is no module.
    return { route, scripts: chunks.length + 1, sheets: sheets.size };
  });
  expect(asked.filter(({ scripts, sheets }) => scripts > 12 || sheets > 4)).toEqual([]);
});

test('what toasts import is put in as the class it is', () => {
  expect(RemoveScroll.classNames.fullWidth).toBe(FULL_WIDTH);
});

test('a public page never loads the app’s entry, which would begin to run', () => {
  const built = readManifest();
  const files = (names: string[]) => broughtBy(built, names, true).map(({ name }) => name ?? '');
  expect(files(['public'])).not.toContain('index');
  expect(files(['index'])).not.toContain('public');
});

test('no two files of the build need each other', () => {
  const built = readManifest();
  const circles = Object.values(built).filter((chunk) =>
    (chunk.imports ?? []).some((key) => broughtBy(built, [built[key]?.name ?? '']).includes(chunk)),
  );
  expect(circles).toEqual([]);
});

test('the service worker keeps at most 45 files', () => {
  expect(countShellFiles()).toBeGreaterThan(20);
  expect(countShellFiles()).toBeLessThanOrEqual(45);
});
