import { html, raw } from 'hono/html';

export type Html = ReturnType<typeof html>;

/** The network's name. It is made up, and so is everything on it. */
export const NETWORK_NAME = 'Driftwood';

export interface PageOptions {
  title: string;
  body: Html;
  /** Shown above the page as an alert. */
  problem?: string | undefined;
}

/** The frame of every page. */
export function page({ title, body, problem }: PageOptions): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · ${NETWORK_NAME}</title>
        <link rel="icon" href="/site/mark.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/site/site.css" />
        <script src="/site/site.js" type="module"></script>
      </head>
      <body>
        <a class="skip" href="#main">Skip to content</a>
        <header class="bar">
          <div class="bar-in">
            <a class="brand" href="/">${mark()}<span>${NETWORK_NAME}</span></a>
            <p class="demo-note">Demo network<span>: made-up people, made-up pictures</span></p>
            <nav aria-label="Main">
              <a href="/new">New account</a>
              <a href="/mail">Emails</a>
              <a href="/cards">Cards</a>
            </nav>
          </div>
        </header>
        <main id="main">
          ${problem ? html`<p class="alert" role="alert">${problem}</p>` : ''} ${body}
        </main>
        <footer>
          <p>
            ${NETWORK_NAME} runs on this computer only and stands in for a real social network.
            Nothing here leaves it.
          </p>
        </footer>
      </body>
    </html>`;
}

/** Three waves: the network's mark. */
export const MARK_SVG = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="9" fill="#1f6f66"/><g fill="none" stroke="#f3ead9" stroke-width="2.6" stroke-linecap="round"><path d="M6 12c3.3-3 6.600-3 10 0s6.700 3 10 0"/><path d="M6 18c3.300-3 6.600-3 10 0s6.700 3 10 0" opacity=".75"/><path d="M6 24c3.300-3 6.600-3 10 0s6.700 3 10 0" opacity=".5"/></g></svg>`;

const mark = (): Html => html`${raw(MARK_SVG)}`;

const HEART = `<svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false"><path d="M12 20.300C6.200 15.700 3 12.600 3 9a4.700 4.700 0 0 1 9-2 4.700 4.700 0 0 1 9 2c0 3.600-3.200 6.700-9 11.300z" fill="currentColor"/></svg>`;
export const heart = (): Html => html`${raw(HEART)}`;
