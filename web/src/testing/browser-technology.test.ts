import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contentPolicy } from '#shared/domain/words/content-policy.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** What runs in a browser or a window of the desktop app: pages, scripts, styles. */
const FILES = globSync(
  ['web/*.html', 'web/public/**', 'web/src/**/*.{ts,tsx,css}', 'desktop/renderer/**/*'],
  { cwd: ROOT },
).filter((file) => /\.(?:html|css|js|tsx?)$/.test(file) && !/\.test\.tsx?$/.test(file));

/** Plugins and what browsers have given up, or are giving up. */
const OUTDATED = [
  /<(?:object|embed|applet|param|frame|frameset|marquee|blink)[\s>]/i,
  /createElement\(['"](?:object|embed|applet)['"]\)/,
  /ActiveXObject|ShockwaveFlash|\.swf\b|x-shockwave|silverlight|java-applet|\bVBScript\b/i,
  /navigator\.plugins|document\.write|attachEvent|execCommand|showModalDialog|webkitStorageInfo/,
  /openDatabase\(|applicationCache|\bnew XMLHttpRequest|\bimportScripts\(/,
  /addEventListener\(['"](?:unload|DOMNodeInserted|DOMSubtreeModified)['"]/,
];

const found = (text: string): string[] =>
  OUTDATED.flatMap((pattern) => pattern.exec(text)?.[0] ?? []);

test('nothing that runs in the browser uses plugins or technology that browsers have given up', () => {
  expect(FILES.length).toBeGreaterThan(200);
  const uses = FILES.flatMap((file) =>
    found(readFileSync(join(ROOT, file), 'utf8')).map((use) => `${file}: ${use}`),
  );
  expect(uses).toEqual([]);
});

test('planted uses are found', () => {
  const planted = [
    '<object data="a.swf">',
    "document.createElement('embed')",
    'new ActiveXObject("Microsoft.XMLHTTP")',
    'document.write(html)',
    "window.addEventListener('unload', leave)",
  ];
  expect(planted.filter((text) => found(text).length === 0)).toEqual([]);
});

test('the browser is told to load no plugin, whatever a page may say', () => {
  const scriptUrl = 'https://js.stripe.com/endive/stripe.js';
  for (const entry of [{ way: 'form' }, { way: 'gateway', scriptUrl }] as const) {
    expect(contentPolicy(entry)).toContain("object-src 'none'");
  }
});
