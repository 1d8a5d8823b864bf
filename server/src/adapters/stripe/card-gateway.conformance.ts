import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ChargeRequest } from './card-gateway.ts';
import {
  bankTests,
  pageTests,
  presenceTests,
  setUpTests,
  tokenTests,
} from './card-gateway-bank.conformance.ts';
import { otherCardTests, triedCardTests } from './card-gateway-tries.conformance.ts';
import { dashboardTests } from './card-gateway-dashboard.conformance.ts';
import { deletionTests, detachTests, refundTests } from './card-gateway-refunds.conformance.ts';
import {
  card,
  type CardGatewayWorld,
  chargeOf,
  type Current,
  customerOf,
  PAYS,
  save,
} from './card-gateway-world.conformance.ts';

/** What every CardGateway does, whatever stands behind it. */
export function cardGatewayConformance(name: string, open: () => Promise<CardGatewayWorld>): void {
  describe(`${name} is a CardGateway`, () => {
    let world: CardGatewayWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    paymentTests(() => world);
    mismatchTests(() => world);
    declineTests(() => world);
    uncertaintyTests(() => world);
    refundTests(() => world);
    detachTests(() => world);
    deletionTests(() => world);
    bookTests(() => world);
    dashboardTests(() => world);
    bankTests(() => world);
    otherCardTests(() => world);
    triedCardTests(() => world);
    presenceTests(() => world);
    tokenTests(() => world);
    setUpTests(() => world);
    pageTests(() => world);
  });
}

const found = ({ amountCents, chargeId, customerId, paymentMethodId }: ChargeRequest) => ({
  amountCents,
  chargeId,
  customerId,
  paymentMethodId,
});

function paymentTests(current: Current): void {
  test.for([
    [PAYS, 'visa', '4242'],
    ['5555 5555 5555 4444', 'mastercard', '4444'],
    ['6011 1111 1111 1117', 'discover', '1117'],
    ['3782 822463 10005', 'amex', '0005'],
  ] as const)('%s is saved as %s', async ([number, brand, lastDigits]) => {
    expect(await save(current(), number)).toMatchObject({ brand, lastDigits });
  });

  test('one card has one fingerprint, whoever saves it; another card has another', async () => {
    const { gateway } = current();
    const customerId = await customerOf(current());
    const printOf = async (key: string, number: string): Promise<string | undefined> => {
      const saved = await gateway.saveCard({ key, customerId, card: card(number) });
      return saved.kind === 'done' ? saved.fingerprint : undefined;
    };
    const first = await printOf('one', PAYS);
    expect(first).toMatch(/./);
    expect(await printOf('two', PAYS)).toBe(first);
    expect(await printOf('three', '5555 5555 5555 4444')).not.toBe(first);
  });

  test('a saved card is charged, and found by our own id', async () => {
    const charge = await chargeOf(current());
    const outcome = await current().gateway.charge(charge);
    if (outcome.kind !== 'done') throw new Error(JSON.stringify(outcome));
    const { gatewayChargeId } = outcome;
    expect(await current().gateway.findCharge(found(charge))).toEqual({
      kind: 'found',
      gatewayChargeId,
      state: 'succeeded',
      isOtherCard: false,
      amountCents: 1700,
    });
    expect(await current().book()).toMatchObject([{ amountCents: 1700, refundedCents: 0 }]);
  });

  test('the same key charges once and answers the same', async () => {
    const charge = await chargeOf(current());
    const first = await current().gateway.charge(charge);
    expect(await current().gateway.charge(charge)).toEqual(first);
    expect(await current().book()).toHaveLength(1);
  });

  test('the same key for another amount is rejected', async () => {
    const charge = await chargeOf(current());
    await current().gateway.charge(charge);
    const other = await current().gateway.charge({ ...charge, amountCents: 1800 });
    expect(other.kind).toBe('rejected');
    expect(await current().book()).toHaveLength(1);
  });

  test('a card of nobody is rejected', async () => {
    const charge = await chargeOf(current());
    const outcome = await current().gateway.charge({ ...charge, paymentMethodId: 'pm_nobody' });
    expect(outcome.kind).toBe('rejected');
  });
}

function mismatchTests(current: Current): void {
  test('a charge found with another sum than was asked for is no payment', async () => {
    const charge = await chargeOf(current());
    await current().gateway.charge(charge);
    const found = await current().gateway.findCharge({ ...charge, amountCents: 1699 });
    expect(found).toMatchObject({ kind: 'mismatch', reason: 'amount 1699, 1700' });
  });
}

function declineTests(current: Current): void {
  test.for([
    ['4000 0000 0000 0002', 'card_declined'],
    ['4000 0000 0000 9995', 'insufficient_funds'],
    ['4000 0000 0000 0341', 'card_declined'],
  ] as const)('%s is declined as %s by the charge at the latest', async ([number, code]) => {
    const customerId = await customerOf(current());
    const { gateway } = current();
    const saved = await gateway.saveCard({ key: 'card-1', customerId, card: card(number) });
    const charge = {
      key: 'k',
      chargeId: 'c',
      customerId,
      amountCents: 1700,
      description: 'Plan 2',
      presence: { kind: 'absent' as const },
    };
    const last =
      saved.kind === 'done'
        ? await gateway.charge({ ...charge, paymentMethodId: saved.paymentMethodId })
        : saved;
    expect(last).toEqual({ kind: 'declined', code });
    expect(await current().book()).toEqual([]);
  });

  test('a card that saves but does not pay is declined each time, and found so', async () => {
    const charge = await chargeOf(current(), '4000 0000 0000 0341');
    expect((await current().gateway.charge(charge)).kind).toBe('declined');
    expect((await current().gateway.charge(charge)).kind).toBe('declined');
    expect(await current().gateway.findCharge(found(charge))).toMatchObject({
      kind: 'found',
      state: 'declined',
    });
  });

  test('after a decline another card pays the same charge under a new key', async () => {
    const declined = await chargeOf(current(), '4000 0000 0000 0341');
    await current().gateway.charge(declined);
    const { gateway } = current();
    const { customerId } = declined;
    const saved = await gateway.saveCard({ key: 'card-2', customerId, card: card(PAYS) });
    if (saved.kind !== 'done') throw new Error(JSON.stringify(saved));
    const { paymentMethodId } = saved;
    const again = { ...declined, key: 'charge-key-2', paymentMethodId };
    expect((await gateway.charge(again)).kind).toBe('done');
    expect(await gateway.findCharge(found(again))).toMatchObject({ state: 'succeeded' });
  });
}

function uncertaintyTests(current: Current): void {
  test('a lost answer is unknown, and the same key learns that it was charged once', async () => {
    const charge = await chargeOf(current());
    await current().loseAnswer();
    expect((await current().gateway.charge(charge)).kind).toBe('unknown');
    expect(await current().gateway.findCharge(found(charge))).toMatchObject({ state: 'succeeded' });
    expect((await current().gateway.charge(charge)).kind).toBe('done');
    expect(await current().book()).toHaveLength(1);
  });

  test('the card that times out after charging is unknown, and found as charged', async () => {
    const charge = await chargeOf(current(), '4000 0000 0000 0119');
    expect((await current().gateway.charge(charge)).kind).toBe('unknown');
    expect(await current().gateway.findCharge(found(charge))).toMatchObject({ state: 'succeeded' });
    expect(await current().book()).toHaveLength(1);
  });

  test('a call that failed without effect is unknown, and absent', async () => {
    const charge = await chargeOf(current());
    await current().failOnce();
    expect((await current().gateway.charge(charge)).kind).toBe('unknown');
    expect(await current().gateway.findCharge(found(charge))).toEqual({ kind: 'absent' });
  });

  test('a failed look-up says nothing', async () => {
    const charge = await chargeOf(current());
    await current().failOnce();
    expect((await current().gateway.findCharge(found(charge))).kind).toBe('unknown');
  });
}

function bookTests(current: Current): void {
  const EVER = new Date(0);

  test('the book lists each charge with what was given back of it, newest first', async () => {
    const { gateway } = current();
    const charge = await chargeOf(current());
    const paid = await gateway.charge(charge);
    await gateway.charge({
      ...charge,
      key: 'charge-key-2',
      chargeId: 'charge-2',
      amountCents: 2400,
    });
    if (paid.kind !== 'done') throw new Error(paid.kind);
    const { gatewayChargeId } = paid;
    await gateway.refund({ key: 'key-1', refundId: 'refund-1', gatewayChargeId, amountCents: 700 });
    const page = await gateway.listCharges({ since: EVER });
    expect(page).toMatchObject({
      kind: 'listed',
      charges: [
        { chargeId: 'charge-2', state: 'succeeded', amountCents: 2400, refundedCents: 0 },
        { gatewayChargeId, chargeId: 'charge-1', amountCents: 1700, refundedCents: 700 },
      ],
    });
  });

  test('a page begins after the charge named, and before `since` nothing is listed', async () => {
    const { gateway } = current();
    const charge = await chargeOf(current());
    await gateway.charge(charge);
    const newest = await gateway.charge({ ...charge, key: 'charge-key-2', chargeId: 'charge-2' });
    if (newest.kind !== 'done') throw new Error(newest.kind);
    const rest = await gateway.listCharges({ since: EVER, after: newest.gatewayChargeId });
    expect(rest).toMatchObject({ charges: [{ chargeId: 'charge-1' }], after: undefined });
    const none = await gateway.listCharges({ since: new Date('2100-01-01') });
    expect(none).toMatchObject({ kind: 'listed', charges: [] });
  });

  test('a declined attempt is in the book as declined', async () => {
    const { gateway } = current();
    await gateway.charge(await chargeOf(current(), '4000 0000 0000 9995'));
    expect(await gateway.listCharges({ since: EVER })).toMatchObject({
      charges: [{ chargeId: 'charge-1', state: 'declined' }],
    });
  });

  test('a book that could not be read is unknown', async () => {
    await current().failOnce();
    expect(await current().gateway.listCharges({ since: EVER })).toMatchObject({ kind: 'unknown' });
  });
}
