import { expect, test } from 'vitest';
import { openScriptedStripe as open } from '#test/money/scripted-stripe.ts';
import { json } from '../http/scripted-server.fake.ts';

const dispute = (status: string): object => ({
  id: 'dp_1',
  object: 'dispute',
  status,
  amount: 1700,
  created: 1_800_000_000,
  payment_intent: 'pi_1',
  charge: { id: 'ch_1', payment_method_details: { card: { fingerprint: 'print' } } },
});
const since = new Date('2027-01-01T00:00:00.500Z');

test.for([
  ['warning_needs_response', 'inquiry'],
  ['warning_under_review', 'inquiry'],
  ['warning_closed', 'won'],
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['a new state', 'open'],
  ['won', 'won'],
  ['lost', 'lost'],
  ['appeal_under_review', 'lost'],
] as const)('a dispute that is %s is %s', async ([status, state]) => {
  const { gateway } = await open(json({ data: [dispute(status)], has_more: false }));
  expect(await gateway.listDisputes({ since })).toEqual({
    kind: 'listed',
    disputes: [
      {
        disputeId: 'dp_1',
        gatewayChargeId: 'pi_1',
        state,
        amountCents: 1700,
        openedAt: new Date('2027-01-15T08:00:00Z'),
        fingerprint: 'print',
      },
    ],
    after: undefined,
  });
});

test('disputes are asked for with their charges, page after page', async () => {
  const { server, gateway } = await open(json({ data: [dispute('won')], has_more: true }));
  expect(await gateway.listDisputes({ since, after: 'dp_9' })).toMatchObject({ after: 'dp_1' });
  const { path } = server.requests[0] ?? { path: '' };
  expect(Object.fromEntries(new URL(path, 'http://x').searchParams)).toEqual({
    limit: '100',
    'created[gte]': '1798761600',
    starting_after: 'dp_9',
    'expand[0]': 'data.charge',
  });
});

test('refunds of the dashboard have no id of ours, and those that failed say so', async () => {
  const entry = {
    status: 'succeeded',
    amount: 500,
    created: 1_800_000_000,
    payment_intent: 'pi_1',
  };
  const data = [
    { ...entry, id: 're_2', metadata: {} },
    { ...entry, id: 're_1', status: 'failed', metadata: { refundId: 'ours' } },
  ];
  const { server, gateway } = await open(json({ data, has_more: false }));
  expect(await gateway.listRefunds({ since })).toMatchObject({
    kind: 'listed',
    refunds: [
      { gatewayRefundId: 're_2', refundId: undefined, state: 'succeeded', amountCents: 500 },
      { gatewayRefundId: 're_1', refundId: 'ours', state: 'failed', gatewayChargeId: 'pi_1' },
    ],
  });
  expect(server.requests[0]?.path).toMatch(/^\/cards\/v1\/refunds\?limit=100&created/);
});
