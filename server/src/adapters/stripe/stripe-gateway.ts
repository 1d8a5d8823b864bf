import * as v from 'valibot';
import type { CancelOutcome, CardGateway } from './card-gateway.ts';
import { Identified } from './stripe-answers.ts';
import { openStripe, type StripeOptions } from './stripe-client.ts';
import { deleteCustomer, detachCards, findCard, saveCard } from './stripe-cards.ts';
import { cancelCharge, charge, findCharge, listCharges } from './stripe-charges.ts';
import { failureReason, type GatewayFailure, toFailure } from './stripe-failure.ts';
import { listDisputes } from './stripe-disputes.ts';
import { findRefund, listRefunds, refund } from './stripe-refunds.ts';
import { cancelSetUp, findSetUp, openCardPage, setUpCard } from './stripe-set-ups.ts';

/** The card gateway behind Stripe's API. Never throws, never repeats a call by itself. */
export function createStripeGateway(
  options: StripeOptions,
): CardGateway & { close(): Promise<void> } {
  const { stripe, close } = openStripe(options);
  return {
    createCustomer: ({ key, email, workspaceId }) =>
      settle(async () => {
        const params = { email, metadata: { workspaceId } };
        const answer = await stripe.customers.create(params, { idempotencyKey: key });
        return { kind: 'done', customerId: v.parse(Identified, answer).id };
      }),
    saveCard: (request) => settle(() => saveCard(stripe, request)),
    findCard: (request) => read(() => findCard(stripe, request)),
    charge: (request) => settle(() => charge(stripe, request)),
    findCharge: (request) => read(() => findCharge(stripe, request)),
    cancelCharge: (request) => cancel(() => cancelCharge(stripe, request)),
    setUpCard: (request) => settle(() => setUpCard(stripe, request)),
    openCardPage: (request) => settle(() => openCardPage(stripe, request)),
    findSetUp: (request) => read(() => findSetUp(stripe, request)),
    cancelSetUp: (request) => cancel(() => cancelSetUp(stripe, request)),
    listCharges: (request) => read(() => listCharges(stripe, request)),
    refund: (request) => settle(() => refund(stripe, request)),
    findRefund: (request) => read(() => findRefund(stripe, request)),
    listRefunds: (request) => read(() => listRefunds(stripe, request)),
    listDisputes: (request) => read(() => listDisputes(stripe, request)),
    detachCards: (request) => settle(() => detachCards(stripe, request)),
    deleteCustomer: (request) => settle(() => deleteCustomer(stripe, request)),
    close,
  };
}

async function settle<Outcome>(call: () => Promise<Outcome>): Promise<Outcome | GatewayFailure> {
  try {
    return await call();
  } catch (error) {
    return toFailure(error);
  }
}

/** A question that got no answer says nothing, whatever the reason. */
async function read<Answer>(
  question: () => Promise<Answer>,
): Promise<Answer | { kind: 'unknown'; reason: string }> {
  try {
    return await question();
  } catch (error) {
    return { kind: 'unknown', reason: failureReason(error) };
  }
}

/** A refusal is no answer: what was to be cancelled may have been on its way. */
async function cancel(call: () => Promise<CancelOutcome>): Promise<CancelOutcome> {
  return read(call);
}
