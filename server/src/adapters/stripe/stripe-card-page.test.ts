import { expect, test } from 'vitest';
import { openScriptedStripe as open } from '#test/money/scripted-stripe.ts';
import { json } from '../http/scripted-server.fake.ts';

test('a page says what its card is for', async () => {
  const { server, gateway } = await open(json({ id: 'cs_1', url: 'https://pay.test/cs_1' }));
  const opened = await gateway.openCardPage({
    key: 'set-up-1',
    setUpId: 'one',
    customerId: 'cus_1',
    returnUrl: 'https://shop.test/back',
    closesAt: new Date(0),
    note: 'For the account of a•••@example.com.',
  });
  expect(opened).toMatchObject({ kind: 'done', gatewaySetUpId: 'cs_1' });
  const sent = new URLSearchParams(server.requests[0]?.body);
  expect(sent.get('custom_text[submit][message]')).toBe('For the account of a•••@example.com.');
});

test('a card out of a wallet isn’t taken from a page', async () => {
  const card = { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 };
  const entered = (wallet: object | null) =>
    json({
      id: 'cs_1',
      status: 'complete',
      setup_intent: {
        id: 'seti_1',
        status: 'succeeded',
        payment_method: { id: 'pm_1', card: { ...card, wallet } },
      },
    });
  const page = { gatewaySetUpId: 'cs_1' };
  const typed = await open(entered(null));
  expect(await typed.gateway.findSetUp(page)).toMatchObject({ state: 'succeeded' });
  const { gateway } = await open(entered({ type: 'apple_pay' }));
  expect(await gateway.findSetUp(page)).toEqual({
    kind: 'found',
    state: 'declined',
    code: 'card_invalid',
  });
});
