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
    close: async () => {
      await gateway.close();
      await close();
    },
  };
});
