import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import type { Deps } from '#server/kit/deps.ts';
import { sessionCookieName } from '#server/identity/http/session.ts';
import { apiPage } from './api-page.routes.ts';
import { describeApi } from './openapi.ts';

const FONTS = {
  'inter.woff2': '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  'bricolage.woff2':
    '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2',
};

/** The API page and its OpenAPI description, both made from the contract. */
export function registerApiDocsRoutes(app: Hono, deps: Pick<Deps, 'settings'>): void {
  const { publicUrl } = deps.settings;
  const style = readFileSync(new URL('./api-page.css', import.meta.url), 'utf8');

  app.get('/docs', (c) => c.html(apiPage(publicUrl)));
  app.get('/docs/openapi.json', (c) => c.json(describeApi(publicUrl, sessionCookieName(deps))));
  app.get('/docs/api-page.css', (c) =>
    c.body(style, 200, {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'no-cache',
    }),
  );
  for (const [name, file] of Object.entries(FONTS)) {
    const bytes = new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve(file))));
    app.get(`/docs/${name}`, (c) =>
      c.body(bytes, 200, {
        'content-type': 'font/woff2',
        'cache-control': 'public, max-age=86400',
      }),
    );
  }
}
