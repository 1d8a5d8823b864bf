import { expect, test } from 'vitest';
import type { CardGateway, RefundRequest } from './card-gateway.ts';
import {
  card,
  type CardGatewayWorld,
  chargeOf,
  type Current,
  customerOf,
  PAYS,
  save,
} from './card-gateway-world.conformance.ts';

/** A paid charge of $17, to be given back. */
async function paidCharge({ gateway, ...world }: CardGatewayWorld): Promise<string> {
  const outcome = await gateway.charge(await chargeOf({ gateway, ...world }));
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  return outcome.gatewayChargeId;
}

const refundOf = (
  gatewayChargeId: string,
  changes: Partial<RefundRequest> = {},
): RefundRequest => ({
  key: 'refund-key-1',
  refundId: 'refund-1',
  gatewayChargeId,
  amountCents: 700,
  ...changes,
});

export function refundTests(current: Current): void {
  test('a charge is paid back in parts, never more than it was', async () => {
    const gatewayChargeId = await paidCharge(current());
    const refund = (key: string, amountCents: number) =>
      current().gateway.refund({ key, refundId: key, gatewayChargeId, amountCents });
    const first = await refund('refund-1', 1000);
    expect(first.kind).toBe('done');
    expect(await refund('refund-1', 1000)).toEqual(first);
    expect((await refund('refund-2', 701)).kind).toBe('rejected');
    expect((await refund('refund-3', 700)).kind).toBe('done');
    expect(await current().book()).toMatchObject([{ amountCents: 1700, refundedCents: 1700 }]);
  });

  test('a refund whose answer was lost is unknown, and found by our own id', async () => {
    const request = refundOf(await paidCharge(current()));
    await current().loseAnswer();
    expect((await current().gateway.refund(request)).kind).toBe('unknown');
    expect(await current().gateway.findRefund(request)).toMatchObject({
      kind: 'found',
      state: 'succeeded',
      amountCents: 700,
    });
    expect(await current().book()).toMatchObject([{ refundedCents: 700 }]);
  });

  test('refunds of one charge are told apart by our ids', async () => {
    const { gateway } = current();
    const request = refundOf(await paidCharge(current()));
    const first = await gateway.refund(request);
    const other = refundOf(request.gatewayChargeId, { key: 'refund-key-2', refundId: 'refund-2' });
    expect(await gateway.findRefund(other)).toEqual({ kind: 'absent' });
    const second = await gateway.refund(other);
    if (first.kind !== 'done' || second.kind !== 'done') throw new Error('not refunded');
    const { gatewayRefundId } = second;
    expect(gatewayRefundId).not.toBe(first.gatewayRefundId);
    expect(await gateway.findRefund(other)).toMatchObject({ kind: 'found', gatewayRefundId });
  });

  test('a refund that failed without effect is absent, a failed look-up says nothing', async () => {
    const request = refundOf(await paidCharge(current()));
    await current().failOnce();
    expect((await current().gateway.refund(request)).kind).toBe('unknown');
    expect(await current().gateway.findRefund(request)).toEqual({ kind: 'absent' });
    await current().failOnce();
    expect((await current().gateway.findRefund(request)).kind).toBe('unknown');
  });
}

export function detachTests(current: Current): void {
  const pay = (gateway: CardGateway, paid: { customerId: string; paymentMethodId: string }) =>
    gateway.charge({
      key: 'k',
      chargeId: 'c',
      amountCents: 1700,
      description: '',
      ...paid,
      presence: { kind: 'absent' },
    });

  test('every card of a customer is detached and pays no more; a repeat finds none', async () => {
    const { gateway } = current();
    const { customerId, paymentMethodId } = await save(current(), PAYS);
    const other = card('5555 5555 5555 4444');
    await gateway.saveCard({ key: 'card-2', customerId, card: other });
    expect(await gateway.detachCards({ customerId })).toEqual({ kind: 'done', detached: 2 });
    expect(await gateway.detachCards({ customerId })).toEqual({ kind: 'done', detached: 0 });
    expect((await pay(gateway, { customerId, paymentMethodId })).kind).toBe('rejected');
    expect(await current().book()).toEqual([]);
  });

  test('a customer the gateway doesn’t know has no cards', async () => {
    const { gateway } = current();
    const customerId = 'cus_nobody';
    expect(await gateway.detachCards({ customerId })).toEqual({ kind: 'done', detached: 0 });
  });

  test('a call that failed has to be repeated, and can be', async () => {
    const { gateway } = current();
    const { customerId } = await save(current(), PAYS);
    await current().failOnce();
    expect((await gateway.detachCards({ customerId })).kind).toBe('unknown');
    expect(await gateway.detachCards({ customerId })).toEqual({ kind: 'done', detached: 1 });
  });

  test('what was paid can be given back after the card is gone', async () => {
    const { gateway } = current();
    const charge = await chargeOf(current());
    const paid = await gateway.charge(charge);
    if (paid.kind !== 'done') throw new Error(paid.kind);
    await gateway.detachCards(charge);
    expect((await gateway.refund(refundOf(paid.gatewayChargeId))).kind).toBe('done');
  });
}

export function deletionTests(current: Current): void {
  test('a deleted customer has no card any more and can save none', async () => {
    const { gateway } = current();
    const charge = await chargeOf(current());
    const { customerId } = charge;
    expect(await gateway.deleteCustomer({ customerId })).toEqual({ kind: 'done' });
    expect((await gateway.charge(charge)).kind).toBe('rejected');
    const saved = await gateway.saveCard({ key: 'card-2', customerId, card: card(PAYS) });
    expect(saved.kind).toBe('rejected');
    expect(await gateway.detachCards({ customerId })).toEqual({ kind: 'done', detached: 0 });
  });

  test('what a deleted customer paid stays in the book and can be given back', async () => {
    const { gateway } = current();
    const charge = await chargeOf(current());
    const paid = await gateway.charge(charge);
    if (paid.kind !== 'done') throw new Error(paid.kind);
    await gateway.deleteCustomer(charge);
    const refund = refundOf(paid.gatewayChargeId);
    expect((await gateway.refund(refund)).kind).toBe('done');
    const { amountCents } = refund;
    const entry = { gatewayChargeId: paid.gatewayChargeId, refundedCents: amountCents };
    expect(await gateway.listCharges({ since: new Date(0) })).toMatchObject({ charges: [entry] });
  });

  test('a deletion can be repeated, after any trouble too; of nobody it is done already', async () => {
    const { gateway } = current();
    const customerId = await customerOf(current());
    await current().failOnce();
    expect((await gateway.deleteCustomer({ customerId })).kind).toBe('unknown');
    await current().loseAnswer();
    expect((await gateway.deleteCustomer({ customerId })).kind).toBe('unknown');
    expect(await gateway.deleteCustomer({ customerId })).toEqual({ kind: 'done' });
    expect(await gateway.deleteCustomer({ customerId: 'cus_nobody' })).toEqual({ kind: 'done' });
  });
}
