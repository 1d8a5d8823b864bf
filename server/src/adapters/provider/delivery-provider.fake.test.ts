import { expect, test } from 'vitest';
import { deliveryProviderConformance } from './delivery-provider.conformance.ts';
import { createFakeDeliveryProvider } from './delivery-provider.fake.ts';

deliveryProviderConformance('The fake provider', () => {
  const provider = createFakeDeliveryProvider();
  const done = Promise.resolve();
  return Promise.resolve({
    provider,
    addMedia: (count: number) =>
      Promise.resolve(
        Array.from({ length: count }, (_, index) => ({
          igId: '1',
          mediaId: `10${index}`,
          shortcode: `S${index}`,
        })),
      ),
    loseAnswer: () => {
      provider.loseAnswers(1);
      return done;
    },
    failOnce: () => {
      provider.queueFailure({ kind: 'unavailable', reason: 'http_500' });
      return done;
    },
    orderedLikes: () =>
      Promise.resolve([...provider.orders.values()].reduce((sum, each) => sum + each.likes, 0)),
    setMembers: (members: number) => {
      provider.setCapacity({ members, perHour: 0, backlogMinutes: 0 });
      return done;
    },
    close: () => done,
  });
});

const ORDER = {
  ref: 'order-1',
  igId: '1',
  mediaId: '10',
  shortcode: 'S',
  likes: 50,
  views: 50,
  startAt: '2026-11-21T09:00:00.000Z',
  finishBy: '2026-11-21T10:00:00.000Z',
};

test('a test moves an order and cancels the rest', async () => {
  const provider = createFakeDeliveryProvider();
  await provider.placeOrders([ORDER]);
  expect(provider.advance('order-1', { status: 'In progress', delivered: 20 })).toMatchObject({
    seq: 2,
    remains: 30,
  });
  const outcome = await provider.cancelOrders(['order-1']);
  expect(outcome).toMatchObject({ answer: [{ status: 'Partial', delivered: 20, remains: 30 }] });
});

test('orders for refused media are refused, others are not', async () => {
  const provider = createFakeDeliveryProvider();
  provider.refuseMedia('10', 'media_gone');
  const outcome = await provider.placeOrders([ORDER, { ...ORDER, ref: 'order-2', mediaId: '11' }]);
  expect(outcome).toMatchObject({
    answer: [{ result: 'refused', reason: 'media_gone' }, { result: 'accepted' }],
  });
});
