import { cardGatewayConformance } from './card-gateway.conformance.ts';
import { createFakeCardGateway } from './card-gateway.fake.ts';

cardGatewayConformance('The fake gateway', () => {
  const gateway = createFakeCardGateway(() => Date.now());
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
    refundInDashboard: (id, amountCents) =>
      Promise.resolve(gateway.refundInDashboard(id, amountCents)),
    atBank: (url, answer) => {
      if (answer === 'confirm') gateway.confirmAtBank(idIn(url));
      else gateway.refuseAtBank(idIn(url));
      return done;
    },
    payWithToken: (id, token) => {
      gateway.payWithToken(id, token);
      return done;
    },
    renewCard: (id, { lastDigits, ...date }) =>
      Promise.resolve(gateway.renewCard(id, { number: `424242424242${lastDigits}`, ...date })),
    tokenOf: (card) => Promise.resolve(gateway.tokenOf(card)),
    enterCard: (url, card) => Promise.resolve(gateway.enterCard(idIn(url), card)),
    close: () => done,
  });
});

const idIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);
