import { html } from 'hono/html';
import { COUNTRIES } from '#shared/domain/money/countries.ts';
import { dollars, plainPage } from './bank-page.ts';
import type { Html } from './page.ts';

/** What may be typed again; of the card nothing is kept. */
export interface PayerTyped {
  name: string;
  line1: string;
  line2: string;
  city: string;
  state: string;
  postal_code: string;
  country: string;
}

interface PayPage {
  action: string;
  /** Undefined: a card is kept for later. */
  amountCents: number | undefined;
  cancelUrl: string | null;
  asksAddress: boolean;
  /** The shop's own words. */
  note: string | null;
  /** Kept when the form comes back. */
  typed?: PayerTyped | undefined;
  problem?: string | undefined;
}

const NOTE = 'Demo card gateway: no money moves';

/** The gateway's own payment page. */
export function payPage(page: PayPage): Html {
  const { action, amountCents, cancelUrl, asksAddress, note, typed, problem } = page;
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
      <input id="name" name="name" autocomplete="cc-name" value="${typed?.name ?? ''}" required />
      ${asksAddress ? addressFields(typed) : ''} ${note === null ? '' : html`<p>${note}</p>`}
      <button>${amountCents === undefined ? 'Save card' : `Pay ${dollars(amountCents)}`}</button>
    </form>
    ${cancelUrl === null ? '' : html`<p><a href="${cancelUrl}">Back to the shop</a></p>`}
  `;
  return plainPage('Card gateway', NOTE, body);
}

function addressFields(typed: PayerTyped | undefined): Html {
  const field = (id: keyof PayerTyped, label: string, autocomplete: string): Html => html`
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${id}"
      autocomplete="billing ${autocomplete}"
      value="${typed?.[id] ?? ''}"
      ${id === 'line2' || id === 'state' ? '' : 'required'}
    />
  `;
  return html`
    <fieldset>
      <legend>Billing address</legend>
      <label for="country">Country</label>
      <select id="country" name="country" autocomplete="billing country">
        ${COUNTRIES.map(
          ([code, name]) =>
            html`<option value="${code}" ${code === typed?.country ? 'selected' : ''}>
              ${name}
            </option>`,
        )}
      </select>
      ${field('line1', 'Street and number', 'address-line1')}
      ${field('line2', 'Apartment, suite (optional)', 'address-line2')}
      ${field('postal_code', 'Postal code', 'postal-code')}
      ${field('city', 'Town or city', 'address-level2')}
      ${field('state', 'State or region (if any)', 'address-level1')}
    </fieldset>
  `;
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
