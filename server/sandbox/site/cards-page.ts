import { html } from 'hono/html';
import type { DisputeEntry } from '../cards/disputes.ts';
import type { ChargeEntry } from '../cards/charges.ts';
import type { SetupIntents } from '../cards/intents/setup-intents.ts';
import type { Payments } from '../cards/payments.ts';
import type { EventEntry } from '../cards/gateway-events.ts';
import { dollars } from './bank-page.ts';
import { type Html, page, timeAgo } from './page.ts';

const SHOWN = 200;

interface CardsPage {
  payments: Payments;
  setups: SetupIntents;
  events: readonly EventEntry[];
  now: number;
}

/**
 * Every payment, and what its bank or the gateway's own website can do with it; the cards that were made
 * ready for later; then the events of it all.
 */
export function cardsPage({ payments, setups, events, now }: CardsPage): Html {
  const charges = payments.listCharges().toReversed().slice(0, SHOWN);
  const body = html`
    <h1>Card payments</h1>
    <p class="hint">
      Play the cardholder and the bank: confirm or refuse what the bank asks about, dispute a
      payment, then decide the case. Or refund it here without telling the product, which finds out
      by an event, or within a minute.
    </p>
    ${charges.length === 0 ? html`<p class="empty">No payments yet.</p>` : ''}
    <ul class="charges">
      ${charges.map((charge) => chargeLine(payments, charge, now))}
    </ul>
    ${setUpList(setups)} ${events.length === 0 ? '' : eventList(events, now)}
  `;
  return page({ title: 'Card payments', body });
}

function setUpList(setups: SetupIntents): Html | '' {
  const recent = setups.recentSetups();
  if (recent.length === 0) return '';
  return html`<h2 class="later">Cards for later payments</h2>
    <ul class="charges">
      ${recent.map(
        (intent) =>
          html`<li>
            <b>Card</b> ${intent.status.replaceAll('_', ' ')} <small>${intent.id}</small>
            ${bankButtons(intent.id, setups.machine.attemptOf(intent.id))}
          </li>`,
      )}
    </ul>`;
}

/** While a bank asks or takes its time: its page, and its cardholder's answers. */
function bankButtons(id: string, attempt: string | undefined): Html | '' {
  if (attempt === undefined) return '';
  const answer = (decision: string, label: string): Html =>
    button(`/cards/bank/${id}`, { decision }, label);
  return html`<a href="/bank/${attempt}">The bank’s page</a> ${answer('confirm', 'Confirm')}
    ${answer('refuse', 'Refuse')}`;
}

function eventList(events: readonly EventEntry[], now: number): Html {
  return html`<h2 class="later">Events</h2>
    <ul class="charges">
      ${events.map(
        ({ id, type, about, state, attempts, lastAnswer, at }) =>
          html`<li>
            <b>${type}</b> ${state.replaceAll('_', ' ')}
            ${attempts > 1 ? html`after ${attempts} attempts` : ''}
            ${state === 'waiting' && lastAnswer ? html`(last answer: ${lastAnswer})` : ''}
            ${timeAgo(Date.parse(at), now)} <small>${about} ${id}</small>
          </li>`,
      )}
    </ul>`;
}

function chargeLine(payments: Payments, charge: ChargeEntry, now: number): Html {
  const { id, amountCents, refundedCents, status, at } = charge;
  const disputes = payments.disputesOf(id);
  const attempt = payments.machine.attemptOf(id);
  const isLeft = status === 'succeeded' && refundedCents < amountCents && disputes.length === 0;
  return html`<li>
    <b>${dollars(amountCents)}</b>
    ${attempt === undefined ? STATES[status] : 'waits for its bank'} ${timeAgo(Date.parse(at), now)}
    ${refundedCents > 0 ? html`, ${dollars(refundedCents)} refunded` : ''}
    <small>${id}</small>
    ${
      isLeft
        ? html`${button('/cards/disputes', { charge: id }, 'Dispute')}
          ${button('/cards/refunds', { charge: id }, 'Refund')}`
        : ''
    }
    ${bankButtons(id, attempt)} ${disputes.map(disputeLine)}
  </li>`;
}

const STATES: Readonly<Record<ChargeEntry['status'], string>> = {
  succeeded: 'paid',
  declined: 'declined',
  pending: 'under way',
  canceled: 'canceled',
};

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
