import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import type { TestDeps } from '../test-deps.ts';

/** The fake gateway with declines, refusals, failures without effect, and answers lost after taking effect. */
export function unreliableGateway(
  gateway: TestDeps['gateway'],
  random: () => number,
  count: (what: string) => void,
): TestDeps['gateway'] {
  const unknown = { kind: 'unknown', reason: 'reset' } as const;
  const charge: CardGateway['charge'] = (request) => {
    const dice = random();
    if (dice < 0.12) gateway.queueFailure({ kind: 'declined', code: 'card_declined' });
    else if (dice < 0.14) gateway.queueFailure(unknown);
    else if (dice < 0.17) gateway.loseAnswers(1);
    else if (dice < 0.175) gateway.queueFailure({ kind: 'rejected', reason: 'api_key_expired' });
    if (dice < 0.175) count(dice < 0.12 ? 'declined' : 'gateway fault');
    return gateway.charge(request);
  };
  // Refunds are few, and how many there are depends on the day each falls on: faults come in turn, so that
  // a small run meets each.
  let refunds = 0;
  const refund: CardGateway['refund'] = (request) => {
    const turn = refunds % 6;
    refunds += 1;
    if (turn === 0) gateway.queueFailure({ kind: 'rejected', reason: 'no_money' });
    else if (turn === 1) gateway.loseAnswers(1);
    else if (turn === 3) gateway.queueFailure(unknown);
    if (turn === 0) count('refund rejected');
    if (turn === 1 || turn === 3) count('refund unanswered');
    return gateway.refund(request);
  };
  const findCharge: CardGateway['findCharge'] = (request) => {
    if (random() < 0.1) gateway.queueFailure(unknown);
    return gateway.findCharge(request);
  };
  const findRefund: CardGateway['findRefund'] = (request) => {
    if (random() < 0.1) gateway.queueFailure(unknown);
    return gateway.findRefund(request);
  };
  const cancelCharge: CardGateway['cancelCharge'] = (request) => {
    const dice = random();
    if (dice < 0.1) gateway.queueFailure(unknown);
    return gateway.cancelCharge(request);
  };
  const setUpCard: CardGateway['setUpCard'] = (request) => {
    const dice = random();
    if (dice < 0.05) gateway.queueFailure(unknown);
    else if (dice < 0.15) gateway.loseAnswers(1);
    return gateway.setUpCard(request);
  };
  return { ...gateway, charge, refund, findCharge, findRefund, cancelCharge, setUpCard };
}
