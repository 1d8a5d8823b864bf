import { afterAll, beforeAll, expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '#shared/domain/durations.ts';
import {
  ASKING_CARD,
  ASKING_EMPTY_CARD,
  booksOf,
  chargesOf,
  NOTHING,
  PAID_ONCE,
  RETURNED,
  runJanitor,
} from '#test/money/checkout-books.ts';
import {
  createNode,
  loseAccount,
  newShopper,
  type Shopper,
  type Told,
  wordOf,
} from '#test/checkout-fixture.ts';
import { auditOf } from '#test/money/paying-customer.ts';
import { forgetCards, hearGateway, moneyProblems } from '#test/money/gateway-fixture.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import type { CardGateway } from '#server/adapters/stripe/card-gateway.ts';
import { checkOverdue } from '#server/ops/invariants/overdue.ts';
import { settleDueCharges } from '../payments/charge-janitor.job.ts';
import { giveUpCharge, resumeCharge } from './collect-charge.service.ts';
import { hearGateway as hearEvent } from '../payments/hear-gateway.service.ts';

let deps: TestDeps;
let submit: ReturnType<typeof createNode>;
beforeAll(async () => {
  deps = await createTestDeps();
  submit = createNode(deps);
});
afterAll(() => deps.database.close());

const actionOf = (told: Told) => (told.kind === 'error' ? told.error.action : undefined);
const bankIdOf = (told: Told): string => actionOf(told)?.url.split('/').at(-1) ?? '';

/** A checkout that the shopper's bank asks about, and what the gateway calls it. */
async function asked(
  name: string,
  card: { ccNum: string } = ASKING_CARD,
): Promise<{ shopper: Shopper; told: Told; id: string; key: Parameters<typeof resumeCharge>[1] }> {
  const shopper = await newShopper(deps, name);
  const told = await submit(shopper, 'form', card);
  const { workspaceId } = shopper.session;
  const key = { workspaceId, chargeId: actionOf(told)?.paymentId ?? '' };
  return { shopper, told, id: bankIdOf(told), key };
}

test('a bank that asks: nothing exists, the answer says where and until when', async () => {
  const atMs = deps.clock.now();
  const { shopper, told, id } = await asked('asked');
  expect(told).toMatchObject({
    error: {
      code: 'payment_needs_action',
      message: 'Your bank asks you to confirm $17.00.',
      action: {
        url: `https://bank.test/${id}`,
        amount: 17,
        until: new Date(atMs + HOUR_MS).toISOString(),
      },
    },
  });
  expect(await booksOf(deps, shopper)).toEqual({ ...NOTHING, reservations: 1 });
  expect(await chargesOf(deps, shopper)).toMatchObject([
    { id: actionOf(told)?.paymentId, state: 'needs_action', gateway_charge_id: id },
  ]);
  // A repeat, and another form for the same account, are told the same, and nothing is sent again.
  const sent = deps.gateway.charges.length;
  expect(actionOf(await submit(shopper, 'form', ASKING_CARD))).toEqual(actionOf(told));
  expect(actionOf(await submit(shopper, 'other-form'))).toEqual(actionOf(told));
  expect(deps.gateway.charges).toHaveLength(sent);
});

test('confirmed at the bank: a repeat of the attempt finds it paid', async () => {
  const { shopper, id } = await asked('repeats');
  deps.gateway.confirmAtBank(id);
  expect(wordOf(await submit(shopper, 'form', ASKING_CARD))).toBe('paid');
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('confirmed at the bank, and the browser closed: the janitor finds it paid', async () => {
  const { shopper, id } = await asked('closes');
  deps.gateway.confirmAtBank(id);
  await runJanitor(deps, MINUTE_MS);
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
  expect(wordOf(await submit(shopper, 'form', ASKING_CARD))).toBe('paid');
});

test.each([
  ['refused at the bank', ASKING_CARD, 'refuseAtBank', 'payment_not_confirmed'],
  ['confirmed without funds', ASKING_EMPTY_CARD, 'confirmAtBank', 'insufficient_funds'],
] as const)('%s: declined, and nobody can pay it any more', async (what, card, act, word) => {
  const { shopper, id, key } = await asked(what.replaceAll(' ', '_'), card);
  deps.gateway[act](id);
  expect(await resumeCharge(deps, key)).toMatchObject({ kind: 'declined' });
  expect(await booksOf(deps, shopper)).toEqual(NOTHING);
  expect(deps.gateway.confirmAtBank(id)).toBe(false);
  expect(wordOf(await submit(shopper, 'form', card))).toBe(word);
  // The account is free for another try.
  expect(wordOf(await submit(shopper, 'other-form'))).toBe('paid');
});

test('given up: canceled at the gateway first, then declined', async () => {
  const { shopper, id, key } = await asked('gives_up');
  expect(await giveUpCharge(deps, key)).toEqual({ kind: 'declined', code: 'given_up' });
  expect(deps.gateway.confirmAtBank(id)).toBe(false);
  expect(await booksOf(deps, shopper)).toEqual(NOTHING);
  expect(await submit(shopper, 'form', ASKING_CARD)).toMatchObject({
    error: {
      code: 'payment_not_confirmed',
      message: 'You canceled the payment. You were not charged.',
    },
  });
});

test('given up after the bank’s yes: the yes was first, and it is paid', async () => {
  const { shopper, id, key } = await asked('too_late');
  deps.gateway.confirmAtBank(id);
  expect(await giveUpCharge(deps, key)).toEqual({ kind: 'paid' });
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('a yes between the poll and the cancellation stays a yes', async () => {
  const { shopper, id, key } = await asked('between');
  const quick: CardGateway = {
    ...deps.gateway,
    cancelCharge: (request) => {
      deps.gateway.confirmAtBank(id);
      return deps.gateway.cancelCharge(request);
    },
  };
  expect(await giveUpCharge({ ...deps, gateway: quick }, key)).toEqual({ kind: 'paid' });
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('after an hour nobody can confirm it any more, and it is declined', async () => {
  const { shopper, id } = await asked('waits');
  await runJanitor(deps, HOUR_MS - MINUTE_MS, MINUTE_MS);
  expect(await chargesOf(deps, shopper)).toMatchObject([{ state: 'needs_action' }]);
  await runJanitor(deps, 2 * MINUTE_MS, 10_000);
  expect(await chargesOf(deps, shopper)).toMatchObject([
    { state: 'declined', decline_code: 'not_confirmed_in_time' },
  ]);
  expect(deps.gateway.confirmAtBank(id)).toBe(false);
  expect(await booksOf(deps, shopper)).toEqual(NOTHING);
  expect(await submit(shopper, 'form', ASKING_CARD)).toMatchObject({
    error: { message: 'The payment wasn’t confirmed at your bank in time. You were not charged.' },
  });
});

test('a gateway that doesn’t answer leaves it open, however late; nothing is declined by guess', async () => {
  const { shopper, id, key } = await asked('silent');
  const silent = { kind: 'unknown', reason: 'reset' } as const;
  const away: TestDeps = {
    ...deps,
    gateway: { ...deps.gateway, findCharge: async () => silent, cancelCharge: async () => silent },
  };
  expect(await giveUpCharge(away, key)).toEqual({ kind: 'open' });
  const deaf = { ...deps, gateway: { ...deps.gateway, cancelCharge: async () => silent } };
  expect(await giveUpCharge(deaf, key)).toEqual({ kind: 'open' });
  await runJanitor(away, 3 * HOUR_MS, 10 * MINUTE_MS);
  expect(await chargesOf(deps, shopper)).toMatchObject([{ state: 'needs_action' }]);
  const overdue = await checkOverdue(deps.database.db, new Date(deps.clock.now()));
  expect(overdue).toContainEqual({
    invariant: 'I7',
    subject: key.chargeId,
    problem: expect.stringContaining('charge waiting for the bank since'),
  });
  deps.gateway.confirmAtBank(id);
  await runJanitor(deps, 11 * MINUTE_MS, 10_000);
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('a lost answer to the charge is looked up, and waits then', async () => {
  const shopper = await newShopper(deps, 'lost_question');
  const charge: CardGateway['charge'] = async (request) => {
    await deps.gateway.charge(request);
    return { kind: 'unknown', reason: 'reset' };
  };
  const losing = createNode({ ...deps, gateway: { ...deps.gateway, charge } });
  expect(wordOf(await losing(shopper, 'form', ASKING_CARD))).toBe('payment_unknown');
  deps.clock.advance(5000);
  const told = await submit(shopper, 'form', ASKING_CARD);
  expect(wordOf(told)).toBe('payment_needs_action');
  deps.gateway.confirmAtBank(bankIdOf(told));
  expect(wordOf(await submit(shopper, 'form', ASKING_CARD))).toBe('paid');
  expect(await booksOf(deps, shopper)).toEqual(PAID_ONCE);
});

test('a first payment sets the card up, so that a later one needs nobody', async () => {
  const { shopper, id } = await asked('sets_up', { ccNum: '4000002500003155' });
  deps.gateway.confirmAtBank(id);
  expect(wordOf(await submit(shopper, 'form', { ccNum: '4000002500003155' }))).toBe('paid');
  const [charge] = deps.gateway.charges.filter(({ gatewayChargeId }) => gatewayChargeId === id);
  expect(charge?.request.presence).toEqual({
    kind: 'present',
    returnUrl: `http://localhost:3000/payment-return?payment=${charge?.request.chargeId}`,
    setsUpCard: true,
  });
});

test('an account that was taken while the bank asked: the money goes back', async () => {
  const { shopper, id, key } = await asked('taken');
  await loseAccount(deps, shopper);
  deps.gateway.confirmAtBank(id);
  expect(await resumeCharge(deps, key)).toEqual({ kind: 'returned' });
  await settleDueCharges(deps);
  expect(await booksOf(deps, shopper)).toEqual(RETURNED);
});

test('paid by a browser with another card than was entered: it buys nothing, goes back, and is audited', async () => {
  const { shopper, id, key } = await asked('other_card');
  const other = { number: '4242424242424242', name: 'Ada Example', month: 12, year: 2034 };
  expect(deps.gateway.payWithToken(id, deps.gateway.tokenOf(other))).toBe(true);
  expect(await resumeCharge(deps, key)).toEqual({ kind: 'returned' });
  await settleDueCharges(deps);
  expect(await booksOf(deps, shopper)).toEqual(RETURNED);
  expect(await auditOf(deps, key, /other_card/)).toEqual(['other_card_returned']);
});

test('cards tried by a browser end what waits at the next event, also when its own bank asks again last', async () => {
  const { shopper, id, key } = await asked('tried_cards');
  const method = deps.gateway.chargesById.get(id)?.request.paymentMethodId ?? '';
  const stolen = { number: '4000000000000341', name: 'Ada Example', month: 12, year: 2034 };
  deps.gateway.payWithToken(id, deps.gateway.tokenOf(stolen));
  deps.gateway.payWithToken(id, method);
  const news = { kind: 'charge', gatewayChargeId: id, chargeId: key.chargeId } as const;
  const event = { eventId: 'evt_tried', isLive: false, account: undefined, news };
  expect(await hearEvent(deps, event)).toBe(true);
  await settleDueCharges(deps);
  expect(deps.gateway.payWithToken(id, method)).toBe(false);
  expect(await chargesOf(deps, shopper)).toMatchObject([
    { state: 'declined', decline_code: 'card_declined' },
  ]);
});

test('paid with other cards three times, nothing is begun any more for a day', async () => {
  const { shopper, id, key } = await asked('other_cards');
  const other = { number: '4242424242424242', name: 'Ada Example', month: 12, year: 2034 };
  let bankId = id;
  let paid = key;
  for (const form of ['second', 'third', 'fourth']) {
    deps.gateway.payWithToken(bankId, deps.gateway.tokenOf(other));
    expect(await resumeCharge(deps, paid)).toEqual({ kind: 'returned' });
    const told = await submit(shopper, form, ASKING_CARD);
    bankId = bankIdOf(told);
    paid = { ...key, chargeId: actionOf(told)?.paymentId ?? '' };
  }
  const charges = deps.gateway.charges.length;
  expect(await submit(shopper, 'fifth')).toMatchObject({
    error: {
      code: 'payment_unavailable',
      message:
        'Several of your payments bought nothing, so we’re returning them. You were not charged now. You can pay again in 24 hours.',
    },
  });
  expect(deps.gateway.charges).toHaveLength(charges);
  deps.clock.advance(24 * HOUR_MS);
  expect(wordOf(await submit(shopper, 'next-day'))).toBe('paid');
});

test('of a card that is disputed while its bank asks: it buys nothing, goes back, and is audited', async () => {
  const paid = await asked('disputes');
  deps.gateway.confirmAtBank(paid.id);
  await resumeCharge(deps, paid.key);
  const { shopper, id, key } = await asked('same_card');
  deps.gateway.openDispute(paid.id);
  await hearGateway(deps);
  deps.gateway.confirmAtBank(id);
  expect(await resumeCharge(deps, key)).toEqual({ kind: 'returned' });
  await settleDueCharges(deps);
  expect(await booksOf(deps, shopper)).toEqual(RETURNED);
  expect(await auditOf(deps, key, /card_returned/)).toEqual(['disputed_card_returned']);
  await forgetCards(deps);
});

test('whoever deletes their account meanwhile can’t confirm it any more', async () => {
  const { shopper, id } = await asked('leaves');
  await deps.database.db
    .deleteFrom('app_user')
    .where('workspace_id', '=', shopper.session.workspaceId)
    .execute();
  await runJanitor(deps, MINUTE_MS);
  expect(await chargesOf(deps, shopper)).toMatchObject([
    { state: 'declined', decline_code: 'abandoned' },
  ]);
  expect(deps.gateway.confirmAtBank(id)).toBe(false);
});

test('the books of all of them are equal to the cent', async () => {
  expect(await moneyProblems(deps)).toEqual([]);
});
