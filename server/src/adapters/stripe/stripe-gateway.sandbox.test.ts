import { patiently } from '#test/patience.ts';
import { openSandboxWorld } from '#test/delivery/sandbox-world.ts';
import { cardGatewayConformance } from './card-gateway.conformance.ts';
import { createStripeGateway } from './stripe-gateway.ts';

cardGatewayConformance('The Stripe gateway', async () => {
  const { url, control, faultOnce, close } = await openSandboxWorld();
  const gateway = createStripeGateway({
    stripeUrl: `${url}/stripe`,
    secretKey: 'sk_test_sandbox',
    // One card is charged without an answer, which is waited for that long.
    timeoutMs: patiently(4000),
  });
  return {
    gateway,
    loseAnswer: () => faultOnce('cards', { scenario: 'error_after' }),
    failOnce: () => faultOnce('cards', { scenario: 'error' }),
    book: async () => {
      const charges = await control('GET', 'charges');
      return (charges as { status: string; amountCents: number; refundedCents: number }[]).filter(
        ({ status }) => status === 'succeeded',
      );
    },
    openDispute: async (charge, state) => {
      const status = state === 'open' ? 'needs_response' : 'warning_needs_response';
      return idOf(await control('POST', 'disputes', { charge, status }));
    },
    changeDispute: async (id, state) => {
      const status = state === 'open' ? 'under_review' : state;
      await control('POST', `disputes/${id}`, { status });
    },
    refundInDashboard: async (charge, amountCents) =>
      idOf(await control('POST', 'refunds', { charge, amountCents })),
    atBank: async (page, decision) => {
      await fetch(page, {
        method: 'POST',
        body: new URLSearchParams({ decision }),
        redirect: 'manual',
      });
    },
    payWithToken: async (id, payment_method) => {
      const intent = `${url}/v1/payment_intents/${id}`;
      const as = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
      // As the bank's page brings it back to the browser.
      const asked = (await (await fetch(intent, as('sk_test_sandbox'))).json()) as Secret;
      const body = new URLSearchParams({
        payment_method,
        client_secret: asked.client_secret,
        return_url: 'https://ovation.example/',
      });
      await fetch(`${intent}/confirm`, { method: 'POST', body, ...as('pk_test_sandbox') });
    },
    renewCard: async (id, { lastDigits: last4, month: expMonth, year: expYear }) => {
      await control('POST', `cards/${id}/renew`, { last4, expMonth, expYear });
    },
    tokenOf: async (card) => {
      const answer = await fetch(`${url}/v1/payment_methods`, {
        method: 'POST',
        headers: { authorization: 'Bearer pk_test_sandbox' },
        body: new URLSearchParams({
          type: 'card',
          'card[number]': card.number.replaceAll(' ', ''),
          'card[exp_month]': String(card.month),
          'card[exp_year]': String(card.year),
          'card[cvc]': card.cvv,
          'billing_details[name]': card.name,
          'billing_details[address][line1]': card.address.line1,
          'billing_details[address][city]': card.address.city,
          'billing_details[address][state]': card.address.state,
          'billing_details[address][postal_code]': card.address.zip,
          'billing_details[address][country]': card.address.country,
        }),
      });
      return idOf(await answer.json());
    },
    enterCard: async (page, { number, month, year, cvv: code, name, address }) => {
      const expiry = `${month} / ${year % 100}`;
      const { zip: postal_code, ...place } = address;
      const body = new URLSearchParams({ number, expiry, code, name, postal_code, ...place });
      await fetch(page, { method: 'POST', body, redirect: 'manual' });
    },
    close: async () => {
      await gateway.close();
      await close();
    },
  };
});

interface Secret {
  client_secret: string;
}

const idOf = (answer: unknown): string => (answer as { id: string }).id;
