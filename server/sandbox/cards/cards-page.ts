import { html } from 'hono/html';
import type { Html } from '../site/layout.ts';
import { page } from '../site/layout.ts';
import { timeAgo } from '../site/parts.ts';
import type { DisputeEntry } from './disputes.ts';
import type { ChargeEntry, Till } from './till.ts';

const SHOWN = 200;

/** Every payment, and what its bank or the gateway's own desk can do with it. */
export function cardsPage(till: Till, now: number): Html {
  const charges = till.listCharges().toReversed().slice(0, SHOWN);
  const body = html`
    <h1>Card payments</h1>
    <p class="hint">
      Play the cardholder’s bank: dispute a payment, then decide the case. Or refund it here without
      telling the product, which finds out within a minute.
    </p>
    ${charges.length === 0 ? html`<p class="empty">No payments yet.</p>` : ''}
    <ul class="people">
      ${charges.map((charge) => chargeLine(till, charge, now))}
    </ul>
  `;
  return page({ title: 'Card payments', body });
}

function chargeLine(till: Till, charge: ChargeEntry, now: number): Html {
  const { id, amountCents, refundedCents, status, at } = charge;
  const disputes = till.disputesOf(id);
  const isLeft = status === 'succeeded' && refundedCents < amountCents && disputes.length === 0;
  return html`<li>
    <b>${dollars(amountCents)}</b> ${status === 'succeeded' ? 'paid' : 'declined'}
    ${timeAgo(Date.parse(at), now)}
    ${refundedCents > 0 ? html`, ${dollars(refundedCents)} refunded` : ''}
    <small>${id}</small>
    ${
      isLeft
        ? html`${button('/cards/disputes', { charge: id }, 'Dispute')}
          ${button('/cards/refunds', { charge: id }, 'Refund')}`
        : ''
    }
    ${disputes.map(disputeLine)}
  </li>`;
}

function disputeLine({ id, amountCents, status }: DisputeEntry): Html {
  const isOpen = status === 'needs_response' || status === 'under_review';
  return html`<p>
    Dispute of ${dollars(amountCents)}: ${status.replaceAll('_', ' ')}
    ${
      isOpen
        ? html`${button(`/cards/disputes/${id}`, { status: 'won' }, 'The product wins')}
          ${button(`/cards/disputes/${id}`, { status: 'lost' }, 'The customer wins')}`
        : ''
    }
  </p>`;
}

function button(action: string, fields: Record<string, string>, label: string): Html {
  return html`<form method="post" action="${action}">
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    <button>${label}</button>
  </form>`;
}

const dollars = (cents: number): string => `$${(cents / 100).toFixed(2)}`;
