import { html } from 'hono/html';
import { dollars, plainPage } from './bank-page.ts';
import type { Html } from './page.ts';

interface PayPage {
  action: string;
  /** Undefined: a card is kept for later. */
  amountCents: number | undefined;
  cancelUrl: string | null;
  /** Kept when the form comes back; of the card nothing is. */
  name: string;
  problem?: string | undefined;
}

const NOTE = 'Demo card gateway: no money moves';

/** The gateway's own payment page. */
export function payPage({ action, amountCents, cancelUrl, name, problem }: PayPage): Html {
  const field = (id: string, label: string, autocomplete: string, hint: string): Html => html`
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${id}"
      inputmode="numeric"
      autocomplete="${autocomplete}"
      placeholder="${hint}"
      required
    />
  `;
  const body = html`
    <h1>${amountCents === undefined ? 'Save your card' : `Pay ${dollars(amountCents)}`}</h1>
    <p>
      ${amountCents === undefined ? 'Nothing is charged now.' : ''} The shop doesn’t see your card
      number.
    </p>
    ${problem ? html`<p class="alert" role="alert">${problem}</p>` : ''}
    <form method="post" action="${action}">
      ${field('number', 'Card number', 'cc-number', '1234 1234 1234 1234')}
      ${field('expiry', 'Expiration date', 'cc-exp', 'MM / YY')}
      ${field('code', 'Security code', 'cc-csc', 'CVC')}
      <label for="name">Name on card</label>
      <input id="name" name="name" autocomplete="cc-name" value="${name}" required />
      <button>${amountCents === undefined ? 'Save card' : `Pay ${dollars(amountCents)}`}</button>
    </form>
    ${cancelUrl === null ? '' : html`<p><a href="${cancelUrl}">Back to the shop</a></p>`}
  `;
  return plainPage('Card gateway', NOTE, body);
}

export function payOverPage(sentence: string, backUrl: string | null): Html {
  const back = backUrl === null ? '' : html`<p><a href="${backUrl}">Back to the shop</a></p>`;
  return plainPage(
    'Card gateway',
    NOTE,
    html`<h1>${sentence}</h1>
      ${back}`,
  );
}
