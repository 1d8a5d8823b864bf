import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ProviderOrder } from '#shared/contract/provider-protocol.ts';
import type { DeliveryProvider, ProviderOutcome } from './delivery-provider.ts';

export interface DeliveryProviderWorld {
  provider: DeliveryProvider;
  /** Makes posts that can be liked; their ids. */
  addMedia(count: number): Promise<{ igId: string; mediaId: string; shortcode: string }[]>;
  /** The next call takes effect, but its answer is lost. */
  loseAnswer(): Promise<void>;
  /** The next call fails without effect. */
  failOnce(): Promise<void>;
  /** Likes in the provider's own book. */
  orderedLikes(): Promise<number>;
  setMembers(count: number): Promise<void>;
  close(): Promise<void>;
}

/** What every DeliveryProvider does, whatever stands behind it. */
export function deliveryProviderConformance(
  name: string,
  open: () => Promise<DeliveryProviderWorld>,
): void {
  describe(`${name} is a DeliveryProvider`, () => {
    let world: DeliveryProviderWorld;
    beforeEach(async () => {
      world = await open();
    });
    afterEach(() => world.close());
    placeTests(() => world);
    progressTests(() => world);
    failureTests(() => world);
  });
}

type Current = () => DeliveryProviderWorld;

async function order(world: DeliveryProviderWorld, ref: string): Promise<ProviderOrder> {
  const [media] = await world.addMedia(1);
  if (!media) throw new Error('no media');
  return {
    ref,
    ...media,
    likes: 50,
    views: 0,
    // Far ahead, so that nothing is delivered while the test looks.
    startAt: '2999-01-01T00:00:00.000Z',
    finishBy: '2999-01-01T01:00:00.000Z',
  };
}

function answerOf<Answer>(outcome: ProviderOutcome<Answer>): Answer {
  if (outcome.kind !== 'answered') throw new Error(JSON.stringify(outcome));
  return outcome.answer;
}

function placeTests(current: Current): void {
  test('an order is accepted, and again without more likes', async () => {
    const first = await order(current(), 'order-1');
    const accepted = [{ ref: 'order-1', result: 'accepted' }];
    expect(answerOf(await current().provider.placeOrders([first]))).toEqual(accepted);
    expect(answerOf(await current().provider.placeOrders([first]))).toEqual(accepted);
    expect(await current().orderedLikes()).toBe(50);
  });

  test('the same ref for something else is refused', async () => {
    const first = await order(current(), 'order-1');
    await current().provider.placeOrders([first]);
    const other = await current().provider.placeOrders([{ ...first, likes: 60 }]);
    expect(answerOf(other)).toEqual([{ ref: 'order-1', result: 'refused', reason: 'conflict' }]);
    expect(await current().orderedLikes()).toBe(50);
  });

  test('a hundred orders go at once, in the order they were asked; one more is rejected', async () => {
    const one = await order(current(), 'order-0');
    const orders = Array.from({ length: 101 }, (_, index) => ({ ...one, ref: `order-${index}` }));
    const hundred = orders.slice(0, 100).map((each) => ({ ...each, likes: 1 }));
    const placed = answerOf(await current().provider.placeOrders(hundred));
    expect(placed.map(({ ref }) => ref)).toEqual(hundred.map(({ ref }) => ref));
    expect((await current().provider.placeOrders(orders)).kind).toBe('rejected');
  });

  test('nothing to place needs no answer', async () => {
    expect(answerOf(await current().provider.placeOrders([]))).toEqual([]);
    expect(answerOf(await current().provider.readProgress([]))).toEqual([]);
  });
}

function progressTests(current: Current): void {
  test('the progress of known orders is read, unknown ones are missing', async () => {
    await current().provider.placeOrders([await order(current(), 'order-1')]);
    const progress = answerOf(await current().provider.readProgress(['order-1', 'order&2']));
    expect(progress).toMatchObject([{ ref: 'order-1', delivered: 0, views: 0, remains: 50 }]);
    expect(progress[0]?.seq).toBeGreaterThanOrEqual(0);
  });

  test('an order that has not begun is canceled, with a newer seq, once', async () => {
    await current().provider.placeOrders([await order(current(), 'order-1')]);
    const [before] = answerOf(await current().provider.readProgress(['order-1']));
    const [after] = answerOf(await current().provider.cancelOrders(['order-1', 'unknown']));
    expect(after).toMatchObject({ ref: 'order-1', status: 'Canceled', delivered: 0 });
    expect(after?.seq).toBeGreaterThan(before?.seq ?? Infinity);
    // What it was asked for can be told from its progress, an ended order's too.
    expect(after?.remains).toBe(50);
    expect(answerOf(await current().provider.cancelOrders(['order-1']))).toEqual([after]);
  });

  test('capacity is read', async () => {
    await current().setMembers(1234);
    const capacity = answerOf(await current().provider.readCapacity());
    expect(capacity).toMatchObject({ members: 1234, backlogMinutes: 0 });
  });
}

function failureTests(current: Current): void {
  test('a lost answer is unavailable, and repeating the order orders nothing twice', async () => {
    const first = await order(current(), 'order-1');
    await current().loseAnswer();
    expect((await current().provider.placeOrders([first])).kind).toBe('unavailable');
    expect(await current().orderedLikes()).toBe(50);
    expect(answerOf(await current().provider.placeOrders([first]))).toHaveLength(1);
    expect(await current().orderedLikes()).toBe(50);
  });

  test('a failed call is unavailable and has ordered nothing', async () => {
    await current().failOnce();
    const failed = await current().provider.placeOrders([await order(current(), 'order-1')]);
    expect(failed.kind).toBe('unavailable');
    expect(await current().orderedLikes()).toBe(0);
  });
}
