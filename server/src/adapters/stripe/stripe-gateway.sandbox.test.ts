import { openSandboxWorld } from '#test/sandbox-world.ts';
import { cardGatewayConformance } from './card-gateway.conformance.ts';
import { createStripeGateway } from './stripe-gateway.ts';

cardGatewayConformance('The Stripe gateway', async () => {
  const { url, control, faultOnce, close } = await openSandboxWorld();
  const gateway = createStripeGateway({
    stripeUrl: `${url}/stripe`,
    secretKey: 'sk_test_sandbox',
    // One card is charged without an answer, which is waited for that long.
    timeoutMs: 4000,
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
    refundAtDesk: async (charge, amountCents) =>
      idOf(await control('POST', 'refunds', { charge, amountCents })),
    close: async () => {
      await gateway.close();
      await close();
    },
  };
});

const idOf = (answer: unknown): string => (answer as { id: string }).id;
