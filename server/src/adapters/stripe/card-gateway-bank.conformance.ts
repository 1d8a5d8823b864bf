import { expect, test } from 'vitest';
import type { CardGateway, ChargeRequest } from './card-gateway.ts';
import {
  card,
  type CardGatewayWorld,
  type Current,
  chargeOf,
  customerOf,
  PAYS,
  save,
} from './card-gateway-world.conformance.ts';

const ASKS_UNLESS_SET_UP = '4000 0025 0000 3155';
const ASKS_ALWAYS = '4000 0027 6000 3184';
const ASKS_THEN_NO_FUNDS = '4000 0082 6000 3178';
export const ASKS_IN_PERSON = '4000 0000 0000 3220';
const RETURN_URL = 'https://ovation.example/payment-return?payment=charge-1';
const PRESENT = { kind: 'present', returnUrl: RETURN_URL, setsUpCard: true } as const;

export const lookUp = ({ amountCents, chargeId, customerId, paymentMethodId }: ChargeRequest) => ({
  amountCents,
  chargeId,
  customerId,
  paymentMethodId,
});

/** A charge that the bank asks about, and what the gateway calls it. */
export async function askedCharge(
  world: CardGatewayWorld,
  number = ASKS_ALWAYS,
): Promise<{ charge: ChargeRequest; id: string; url: string }> {
  const charge = { ...(await chargeOf(world, number)), presence: PRESENT };
  const outcome = await world.gateway.charge(charge);
  if (outcome.kind !== 'needs_action') throw new Error(JSON.stringify(outcome));
  return { charge, id: outcome.gatewayChargeId, url: outcome.url };
}

/** Charges whose customer's bank asks them. */
export function bankTests(current: Current): void {
  test.for([ASKS_UNLESS_SET_UP, ASKS_ALWAYS, ASKS_IN_PERSON])(
    'the bank asks about %s, and nothing is paid before its yes',
    async (number) => {
      const { gateway } = current();
      const { charge, id, url } = await askedCharge(current(), number);
      expect(url).toMatch(/^https?:\/\//);
      const asked = { kind: 'found', gatewayChargeId: id, amountCents: 1700 };
      expect(await gateway.findCharge(lookUp(charge))).toMatchObject({
        ...asked,
        state: 'needs_action',
        url,
      });
      expect(await current().book()).toEqual([]);
      await current().atBank(url, 'confirm');
      const known = { ...lookUp(charge), gatewayChargeId: id };
      const paid = { ...asked, state: 'succeeded', isOtherCard: false };
      expect(await gateway.findCharge(known)).toMatchObject(paid);
      expect(await current().book()).toMatchObject([{ amountCents: 1700 }]);
      expect(await gateway.cancelCharge({ gatewayChargeId: id })).toEqual({ kind: 'succeeded' });
    },
  );

  test('a bank that isn’t told yes: not confirmed', async () => {
    const { gateway } = current();
    const { charge, url } = await askedCharge(current());
    await current().atBank(url, 'refuse');
    expect(await gateway.findCharge(lookUp(charge))).toMatchObject({
      state: 'declined',
      code: 'not_confirmed',
    });
  });

  test('after the customer’s yes the bank may still say no', async () => {
    const { gateway } = current();
    const { charge, url } = await askedCharge(current(), ASKS_THEN_NO_FUNDS);
    await current().atBank(url, 'confirm');
    expect(await gateway.findCharge(lookUp(charge))).toMatchObject({
      state: 'declined',
      code: 'insufficient_funds',
    });
  });

  test('what was cancelled can’t be confirmed any more, however often it is cancelled', async () => {
    const { gateway } = current();
    const { charge, id, url } = await askedCharge(current());
    expect(await gateway.cancelCharge({ gatewayChargeId: id })).toEqual({ kind: 'done' });
    expect(await gateway.cancelCharge({ gatewayChargeId: id })).toEqual({ kind: 'done' });
    await current().atBank(url, 'confirm');
    const known = { ...lookUp(charge), gatewayChargeId: id };
    expect(await gateway.findCharge(known)).toMatchObject({ state: 'declined' });
    expect(await current().book()).toEqual([]);
  });

  test('a cancellation without an answer says nothing', async () => {
    const { gateway } = current();
    const { id } = await askedCharge(current());
    await current().failOnce();
    expect((await gateway.cancelCharge({ gatewayChargeId: id })).kind).toBe('unknown');
    expect((await gateway.cancelCharge({ gatewayChargeId: 'pi_nobody' })).kind).toBe('unknown');
  });
}

/** Cards whose banks ask, when nobody is there, and when nobody need be asked. */
export function presenceTests(current: Current): void {
  test('a bank that would ask somebody who isn’t there says so, and charges nothing', async () => {
    const charge = await chargeOf(current(), ASKS_UNLESS_SET_UP);
    expect(await current().gateway.charge(charge)).toEqual({
      kind: 'declined',
      code: 'authentication_required',
    });
    expect(await current().book()).toEqual([]);
  });

  test('a card that was set up with its first payment pays when nobody is there', async () => {
    const { gateway } = current();
    const { charge, url } = await askedCharge(current(), ASKS_UNLESS_SET_UP);
    await current().atBank(url, 'confirm');
    const later = {
      ...charge,
      key: 'charge-key-2',
      chargeId: 'charge-2',
      presence: { kind: 'absent' } as const,
    };
    expect((await gateway.charge(later)).kind).toBe('done');
  });

  test('a card that its bank doesn’t ask about pays at once with its customer there', async () => {
    const charge = { ...(await chargeOf(current())), presence: PRESENT };
    expect((await current().gateway.charge(charge)).kind).toBe('done');
  });
}

/** Cards that were entered in the gateway's own fields. */
export function tokenTests(current: Current): void {
  const saveToken = (gateway: CardGateway, key: string, customerId: string, token: string) =>
    gateway.saveCard({ key, customerId, card: { token } });

  test('a token is saved with what is shown of its card, and again by the same attempt', async () => {
    const { gateway } = current();
    const customerId = await customerOf(current());
    const token = await current().tokenOf(card(PAYS));
    const saved = await saveToken(gateway, 'card-1', customerId, token);
    expect(saved).toMatchObject({
      kind: 'done',
      brand: 'visa',
      lastDigits: '4242',
      holderName: 'Ada Lovelace',
      address: card(PAYS).address,
      month: 12,
      year: 2034,
    });
    expect(await saveToken(gateway, 'card-1', customerId, token)).toEqual(saved);
    if (saved.kind !== 'done') return;
    const { paymentMethodId } = saved;
    const request = { key: 'k', chargeId: 'c', amountCents: 1700, description: 'Plan 2' };
    const charge = { ...request, customerId, paymentMethodId, presence: PRESENT };
    expect((await gateway.charge(charge)).kind).toBe('done');
  });

  test('another customer’s token, and none at all, are invalid cards', async () => {
    const { gateway } = current();
    const first = await customerOf(current());
    const token = await current().tokenOf(card(PAYS));
    await saveToken(gateway, 'card-1', first, token);
    const second = await gateway.createCustomer({
      key: 'customer-2',
      email: 'bea@example.test',
      workspaceId: 'workspace-2',
    });
    if (second.kind !== 'done') throw new Error(second.kind);
    const { customerId } = second;
    const invalid = { kind: 'declined', code: 'card_invalid' };
    expect(await saveToken(gateway, 'card-2', customerId, token)).toEqual(invalid);
    expect(await saveToken(gateway, 'card-3', customerId, 'pm_nobody')).toEqual(invalid);
  });
}

/** Cards that are set up without a charge. */
export function setUpTests(current: Current): void {
  const ask = async (number: string) => {
    const { customerId, paymentMethodId } = await save(current(), number);
    const request = { key: 'set-up-1', setUpId: 's', returnUrl: RETURN_URL };
    return current().gateway.setUpCard({ ...request, customerId, paymentMethodId });
  };

  test('a card whose bank asks nothing is set up at once', async () => {
    const done = await ask(PAYS);
    expect(done).toMatchObject({ kind: 'done', card: { lastDigits: '4242' } });
    if (done.kind !== 'done') return;
    const { gatewaySetUpId, card: saved } = done;
    const found = { kind: 'found', state: 'succeeded', card: saved };
    expect(await current().gateway.findSetUp({ gatewaySetUpId })).toEqual(found);
    expect(await current().gateway.cancelSetUp({ gatewaySetUpId })).toEqual({ kind: 'succeeded' });
  });

  test.for([
    ['confirm', { state: 'succeeded', card: { lastDigits: '3155' } }],
    ['refuse', { state: 'declined', code: 'not_confirmed' }],
  ] as const)('a card whose bank asks is set up by its yes only: %s', async ([act, found]) => {
    const { gateway } = current();
    const asked = await ask(ASKS_UNLESS_SET_UP);
    if (asked.kind !== 'needs_action') throw new Error(JSON.stringify(asked));
    const { gatewaySetUpId, url } = asked;
    expect(await gateway.findSetUp({ gatewaySetUpId })).toMatchObject({ state: 'needs_action' });
    await current().atBank(url, act);
    expect(await gateway.findSetUp({ gatewaySetUpId })).toMatchObject(found);
  });

  test('what was cancelled sets nothing up', async () => {
    const { gateway } = current();
    const asked = await ask(ASKS_ALWAYS);
    if (asked.kind !== 'needs_action') throw new Error(JSON.stringify(asked));
    const { gatewaySetUpId, url } = asked;
    expect(await gateway.cancelSetUp({ gatewaySetUpId })).toEqual({ kind: 'done' });
    expect(await gateway.cancelSetUp({ gatewaySetUpId })).toEqual({ kind: 'done' });
    await current().atBank(url, 'confirm');
    expect(await gateway.findSetUp({ gatewaySetUpId })).toMatchObject({ state: 'declined' });
  });
}

/** Cards that are entered on a page of the gateway's. */
export function pageTests(current: Current): void {
  const tryPage = async (forMs: number) =>
    current().gateway.openCardPage({
      key: `page-${forMs}`,
      setUpId: 's',
      returnUrl: RETURN_URL,
      customerId: await customerOf(current()),
      closesAt: new Date(Date.now() + forMs),
      note: 'For the account of a•••@example.com.',
    });
  const openPage = async () => {
    const opened = await tryPage(3_600_000);
    if (opened.kind !== 'done') throw new Error(JSON.stringify(opened));
    return opened;
  };

  test('a page takes a card, which is the customer’s and set up then', async () => {
    const { gateway } = current();
    const { gatewaySetUpId, url } = await openPage();
    const open = { kind: 'found', state: 'needs_action', url };
    expect(await gateway.findSetUp({ gatewaySetUpId })).toEqual(open);
    await current().enterCard(url, card(PAYS));
    expect(await gateway.findSetUp({ gatewaySetUpId })).toMatchObject({
      state: 'succeeded',
      card: {
        brand: 'visa',
        lastDigits: '4242',
        month: 12,
        year: 2034,
        holderName: 'Ada Lovelace',
        address: card(PAYS).address,
      },
    });
    expect(await gateway.cancelSetUp({ gatewaySetUpId })).toEqual({ kind: 'succeeded' });
  });

  test('a page that would close within half an hour isn’t opened', async () => {
    expect(await tryPage(25 * 60_000)).toMatchObject({ kind: 'rejected' });
    expect(await tryPage(31 * 60_000)).toMatchObject({ kind: 'done' });
  });

  test('a page that was closed takes none', async () => {
    const { gateway } = current();
    const { gatewaySetUpId } = await openPage();
    expect(await gateway.cancelSetUp({ gatewaySetUpId })).toEqual({ kind: 'done' });
    expect(await gateway.cancelSetUp({ gatewaySetUpId })).toEqual({ kind: 'done' });
    expect(await gateway.findSetUp({ gatewaySetUpId })).toMatchObject({ state: 'declined' });
  });
}
