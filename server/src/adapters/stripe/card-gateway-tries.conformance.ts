import { expect, test } from 'vitest';
import { ASKS_IN_PERSON, askedCharge, lookUp } from './card-gateway-bank.conformance.ts';
import { card, type Current, PAYS } from './card-gateway-world.conformance.ts';

const DECLINED_WHEN_CHARGED = '4000 0000 0000 0341';

/** What waits, and whoever knows its secret. */
export function otherCardTests(current: Current): void {
  test('what waits can be paid by a browser with any card, which is told', async () => {
    const { gateway } = current();
    const { charge, id, url } = await askedCharge(current());
    await current().payWithToken(id, await current().tokenOf(card(PAYS)));
    const known = { ...lookUp(charge), gatewayChargeId: id };
    expect(await gateway.findCharge(known)).toMatchObject({
      state: 'succeeded',
      isOtherCard: true,
    });
    // Of a customer who has left, nobody knows the card any more.
    expect(await gateway.findCharge({ ...known, paymentMethodId: '' })).toMatchObject({
      isOtherCard: false,
    });
    await current().atBank(url, 'confirm');
    expect(await current().book()).toMatchObject([{ amountCents: 1700 }]);
  });
}

/** What waits, and whoever tries cards on it. */
export function triedCardTests(current: Current): void {
  test('what waits is a no once a card was declined for it, also when its own bank asks again', async () => {
    const { gateway } = current();
    const { charge, id } = await askedCharge(current());
    await current().payWithToken(id, await current().tokenOf(card(DECLINED_WHEN_CHARGED)));
    await current().payWithToken(id, charge.paymentMethodId);
    const known = { ...lookUp(charge), gatewayChargeId: id };
    expect(await gateway.findCharge(known)).toMatchObject({
      state: 'declined',
      code: 'card_declined',
    });
    expect(await gateway.cancelCharge({ gatewayChargeId: id })).toEqual({ kind: 'done' });
    await current().payWithToken(id, await current().tokenOf(card(PAYS)));
    expect(await current().book()).toEqual([]);
  });

  test('what waits for the bank of another card is a no', async () => {
    const { gateway } = current();
    const { charge, id } = await askedCharge(current());
    await current().payWithToken(id, await current().tokenOf(card(ASKS_IN_PERSON)));
    const known = { ...lookUp(charge), gatewayChargeId: id };
    expect(await gateway.findCharge(known)).toMatchObject({
      state: 'declined',
      code: 'card_declined',
    });
  });
}
