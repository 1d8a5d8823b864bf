import { readFileSync } from 'node:fs';
import { Hono } from 'hono';

const read = (name: string): string =>
  readFileSync(new URL(`fields/${name}`, import.meta.url), 'utf8');

/** One card field, or the hidden frame that calls the gateway. Any page may show it, as the real one's. */
const FIELD_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Card field</title>
    <link rel="stylesheet" href="field.css" />
  </head>
  <body>
    <input class="field" hidden />
    <script src="field.js" type="module"></script>
  </body>
</html>`;

const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'";

/**
 * What browsers load of the card gateway, below `/v3`: `stripe.js` in place of the gateway's script, and
 * the frames that it draws. `url`: where `/v1` and `/v3` hang.
 */
export function fieldRoutes(url: string): Hono {
  const app = new Hono();
  const script = bundle(url);
  for (const path of ['/', '/stripe.js']) {
    app.get(path, (c) => c.body(script, 200, { ...NO_CACHE, 'content-type': JAVASCRIPT }));
  }
  app.get('/field', (c) =>
    c.html(FIELD_PAGE, 200, { ...NO_CACHE, 'content-security-policy': PAGE_POLICY }),
  );
  for (const name of ['field.js', 'card-text.js', 'field-style.js']) {
    app.get(`/${name}`, (c) =>
      c.body(read(name), 200, { ...NO_CACHE, 'content-type': JAVASCRIPT }),
    );
  }
  app.get('/field.css', (c) =>
    c.body(read('field.css'), 200, { ...NO_CACHE, 'content-type': 'text/css; charset=utf-8' }),
  );
  return app;
}

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const NO_CACHE = { 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' };

/** A page waits for the script's `load`, so it is one classic script without imports. */
function bundle(url: string): string {
  const parts = ['elements.js', 'stripe.js'].map((name) =>
    read(name)
      .replaceAll(/^import .*$/gm, '')
      .replaceAll(/^export /gm, ''),
  );
  const place = `const GATEWAY = ${JSON.stringify(url)};
const GATEWAY_ORIGIN = new URL(GATEWAY).origin;`;
  return `(() => {\n'use strict';\n${place}\n${parts.join('\n')}})();\n`;
}
