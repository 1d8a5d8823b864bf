import { cardGatewayConformance } from './card-gateway.conformance.ts';
import { createFakeCardGateway } from './card-gateway.fake.ts';

cardGatewayConformance('The fake gateway', () => {
  const gateway = createFakeCardGateway();
  const done = Promise.resolve();
  return Promise.resolve({
    gateway,
    loseAnswer: () => {
      gateway.loseAnswers(1);
      return done;
    },
    failOnce: () => {
      gateway.queueFailure({ kind: 'unknown', reason: 'http_500' });
      return done;
    },
    book: () =>
      Promise.resolve(
        gateway.charges
          .filter(({ state }) => state === 'succeeded')
          .map(({ request, refundedCents }) => ({
            amountCents: request.amountCents,
            refundedCents,
          })),
      ),
    openDispute: (id, state) => Promise.resolve(gateway.openDispute(id, { state })),
    changeDispute: (id, state) => Promise.resolve(gateway.changeDispute(id, state)),
    refundAtDesk: (id, amountCents) => Promise.resolve(gateway.refundAtDesk(id, amountCents)),
    close: () => done,
  });
});
