import { html } from 'hono/html';
import type { Html } from './page.ts';

/** What a bank asks its cardholder about. */
export interface BankAsks {
  /** Where the answer goes. */
  action: string;
  /** Undefined: a card is made ready for later, nothing is paid. */
  amountCents: number | undefined;
  last4: string;
  /** Shown by the payment page's own script, which takes it away afterwards. */
  isFramed: boolean;
}

const NOTE = 'Demo bank: no money moves';

/** The bank's question. */
export function bankPage({ action, amountCents, last4, isFramed }: BankAsks): Html {
  const answer = (decision: string, label: string, look = 'quiet'): Html =>
    html`<button class="${look}" name="decision" value="${decision}">${label}</button>`;
  const body = html`
    <h1>${amountCents === undefined ? 'Confirm this card' : `Confirm ${dollars(amountCents)}`}</h1>
    <p>
      A shop wants to
      ${amountCents === undefined ? 'keep your card for later payments' : 'charge your card'}:
      <b>card ending in ${last4}</b>.
    </p>
    <form method="post" action="${action}">
      ${answer('confirm', 'Confirm', '')} ${answer('refuse', 'Refuse')}
      ${answer('wait', 'Decide in 5 minutes')}
      ${isFramed ? '' : answer('close', 'Leave without an answer')}
    </form>
  `;
  return plainPage('Your bank', NOTE, body);
}

/** The bank has nothing more to ask; a payment page's script around it is told. */
export function bankDonePage(sentence: string): Html {
  const body = html`<h1>${sentence}</h1>
    <p>You can close this page.</p>
    <script src="/site/bank-done.js" type="module"></script>`;
  return plainPage('Your bank', NOTE, body);
}

/** A page of nobody's: no network around it, the same sheet. */
export function plainPage(title: string, note: string, body: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="/site/site.css" />
      </head>
      <body class="plain">
        <main id="main">
          <p class="demo-note">${note}</p>
          ${body}
        </main>
      </body>
    </html>`;
}

export const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
