import { expect, test } from 'vitest';
import { CHARGE_DISPUTED, type GatewayDispute, type GatewayRefund } from './card-gateway.ts';
import {
  card,
  type CardGatewayWorld,
  chargeOf,
  type Current,
  PAYS,
  save,
} from './card-gateway-world.conformance.ts';

const LONG_AGO = { since: new Date(0) };

/** A paid charge of $17, and the fingerprint of its card. */
async function paidCharge(
  world: CardGatewayWorld,
): Promise<{ id: string; fingerprint: string | undefined }> {
  const { gateway } = world;
  const request = await chargeOf(world);
  const outcome = await gateway.charge(request);
  if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
  const { customerId } = request;
  const again = await gateway.saveCard({ key: 'again', customerId, card: card(PAYS) });
  const fingerprint = again.kind === 'done' ? again.fingerprint : undefined;
  return { id: outcome.gatewayChargeId, fingerprint };
}

async function listDisputes({ gateway }: CardGatewayWorld): Promise<GatewayDispute[]> {
  const listed = await gateway.listDisputes(LONG_AGO);
  if (listed.kind !== 'listed') throw new Error(JSON.stringify(listed));
  return listed.disputes;
}

/** A card that its bank renews keeps its token. */
function renewalTests(current: Current): void {
  test('a card that its bank renewed is found with its new digits and date', async () => {
    const { gateway } = current();
    const { customerId, paymentMethodId } = await save(current(), PAYS);
    const asked = { customerId, paymentMethodId };
    expect(await gateway.findCard(asked)).toMatchObject({
      kind: 'found',
      card: { paymentMethodId, brand: 'visa', lastDigits: '4242', month: 12, year: 2034 },
    });
    const renewed = { lastDigits: '1881', month: 3, year: 2033 };
    await current().renewCard(paymentMethodId, renewed);
    expect(await gateway.findCard(asked)).toMatchObject({ kind: 'found', card: renewed });
  });

  test('a card of another customer, or of nobody, is absent; a failed look-up says nothing', async () => {
    const { gateway } = current();
    const { customerId, paymentMethodId } = await save(current(), PAYS);
    const absent = { kind: 'absent' };
    expect(await gateway.findCard({ customerId, paymentMethodId: 'pm_nobody' })).toEqual(absent);
    expect(await gateway.findCard({ customerId: 'cus_other', paymentMethodId })).toEqual(absent);
    await gateway.detachCards({ customerId });
    expect(await gateway.findCard({ customerId, paymentMethodId })).toEqual(absent);
    await current().failOnce();
    const failed = await gateway.findCard({ customerId, paymentMethodId });
    expect(failed).toMatchObject({ kind: 'unknown' });
  });
}

export function dashboardTests(current: Current): void {
  disputedRefundTest(current);
  renewalTests(current);
  leftTests(current);
  const pay = () => paidCharge(current());
  const disputes = () => listDisputes(current());
  const refunds = async (): Promise<GatewayRefund[]> => {
    const listed = await current().gateway.listRefunds(LONG_AGO);
    if (listed.kind !== 'listed') throw new Error(JSON.stringify(listed));
    return listed.refunds;
  };

  test('a dispute tells its charge, sum and card, and how it stands now', async () => {
    const { id, fingerprint } = await pay();
    expect(await disputes()).toEqual([]);
    const disputeId = await current().openDispute(id, 'open');
    const told = { disputeId, gatewayChargeId: id, amountCents: 1700, fingerprint };
    expect(await disputes()).toMatchObject([{ ...told, state: 'open' }]);
    await current().changeDispute(disputeId, 'lost');
    expect(await disputes()).toMatchObject([{ ...told, state: 'lost' }]);
    await current().changeDispute(disputeId, 'won');
    expect(await disputes()).toMatchObject([{ ...told, state: 'won' }]);
  });

  test('an inquiry moves no money, and can become a dispute', async () => {
    const disputeId = await current().openDispute((await pay()).id, 'inquiry');
    expect(await disputes()).toMatchObject([{ disputeId, state: 'inquiry' }]);
    await current().changeDispute(disputeId, 'open');
    expect(await disputes()).toMatchObject([{ disputeId, state: 'open' }]);
  });

  test('refunds are listed newest first, ours with our id and those of the dashboard without', async () => {
    const { id } = await pay();
    const refund = { key: 'refund-1', refundId: 'refund-1', gatewayChargeId: id, amountCents: 300 };
    const ours = await current().gateway.refund(refund);
    if (ours.kind !== 'done') throw new Error(JSON.stringify(ours));
    const gatewayRefundId = await current().refundInDashboard(id, 500);
    const charge = { gatewayChargeId: id, state: 'succeeded' };
    expect(await refunds()).toMatchObject([
      { ...charge, gatewayRefundId, refundId: undefined, amountCents: 500 },
      {
        ...charge,
        gatewayRefundId: ours.gatewayRefundId,
        refundId: 'refund-1',
        amountCents: 300,
      },
    ]);
    expect(await current().book()).toEqual([
      expect.objectContaining({ amountCents: 1700, refundedCents: 800 }),
    ]);
  });

  test('a list that can’t be read says nothing', async () => {
    await current().failOnce();
    expect((await current().gateway.listDisputes(LONG_AGO)).kind).toBe('unknown');
    await current().failOnce();
    expect((await current().gateway.listRefunds(LONG_AGO)).kind).toBe('unknown');
  });
}

function disputedRefundTest(current: Current): void {
  test('nothing goes back of a payment while its bank has called it back, nor what the bank has taken', async () => {
    const { id: gatewayChargeId } = await paidCharge(current());
    const refund = (key: string, amountCents: number) =>
      current().gateway.refund({ key, refundId: key, gatewayChargeId, amountCents });
    const disputeId = await current().openDispute(gatewayChargeId, 'open');
    expect(await refund('1', 1700)).toEqual({ kind: 'rejected', reason: CHARGE_DISPUTED });
    await current().changeDispute(disputeId, 'lost');
    expect((await refund('2', 1700)).kind).toBe('rejected');
    await current().changeDispute(disputeId, 'won');
    expect((await refund('3', 1700)).kind).toBe('done');
  });
}

/** What has gone back, banks don't call back a second time. */
function leftTests(current: Current): void {
  const disputes = () => listDisputes(current());
  const takeBack = async (disputeId: string, state: 'lost' | 'open') =>
    current().changeDispute(disputeId, state);

  test('a payment that went back while its bank asked can’t be called back: the inquiry is over', async () => {
    const { id } = await paidCharge(current());
    const disputeId = await current().openDispute(id, 'inquiry');
    await current().refundInDashboard(id, 700);
    expect(await disputes()).toMatchObject([{ disputeId, state: 'inquiry', amountCents: 1700 }]);
    const rest = { key: 'rest', refundId: 'rest', gatewayChargeId: id, amountCents: 1000 };
    expect((await current().gateway.refund(rest)).kind).toBe('done');
    expect(await disputes()).toMatchObject([{ disputeId, state: 'won' }]);
    for (const state of ['open', 'lost'] as const) {
      await expect(takeBack(disputeId, state)).rejects.toThrow(/left of/);
    }
    expect(await disputes()).toMatchObject([{ disputeId, state: 'won' }]);
  });

  test('what banks call back is never more than what is left', async () => {
    const { id } = await paidCharge(current());
    const [first, second] = [
      await current().openDispute(id, 'inquiry'),
      await current().openDispute(id, 'inquiry'),
    ];
    await current().refundInDashboard(id, 700);
    await current().changeDispute(first, 'lost');
    const lost = { disputeId: first, state: 'lost', amountCents: 1000 };
    expect(await disputes()).toContainEqual(expect.objectContaining(lost));
    await expect(takeBack(second, 'open')).rejects.toThrow(/left of/);
    await expect((async () => current().openDispute(id, 'open'))()).rejects.toThrow(/left/);
  });
}
