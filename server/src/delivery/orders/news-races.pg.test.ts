import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProviderProgress } from '#shared/contract/provider-protocol.ts';
import { type DeliveryBench, openDeliveryBench } from '#test/delivery/delivery-bench.ts';
import { describePlayed, playAllOrders, type Race } from '#test/interleaving/play-all-orders.ts';
import { pollDueOrders } from './poll-orders.job.ts';
import { receiveEvents } from './provider-news.service.ts';

let bench: DeliveryBench;
beforeAll(async () => {
  bench = await openDeliveryBench();
});
afterAll(() => bench.deps.database.close());

interface Scene {
  id: string;
  begun: ProviderProgress;
  ended: ProviderProgress;
}

/** An order due to be asked about, of which the provider says in turn that it has begun and ended. */
async function orderUnderWay(): Promise<Scene> {
  await bench.clear();
  const { provider, clock } = bench.deps;
  const id = await bench.placedOrder();
  const begun = provider.advance(id, { status: 'In progress', delivered: 3, startCount: 7 });
  clock.advance(2000);
  const ended = provider.complete(id);
  return { id, begun, ended };
}

/** The poll hears `polled`, the provider tells `told` of its own accord. */
const newsRace = (
  polled: (scene: Scene) => ProviderProgress,
  told: (scene: Scene) => ProviderProgress,
): Race<Scene> => ({
  scene: orderUnderWay,
  sides: [
    (database, scene) => {
      const provider = {
        ...bench.deps.provider,
        readProgress: async () => ({ kind: 'answered' as const, answer: [polled(scene)] }),
      };
      const deps = { ...bench.deps, database, provider };
      return pollDueOrders(deps, { leaseMs: 30_000, batch: 100 });
    },
    (database, scene) => receiveEvents({ ...bench.deps, database }, [told(scene)]),
  ],
  check: async ({ id }) => {
    // What the slower of the two had missed comes with the next poll at the latest.
    bench.deps.clock.advance(60_000);
    await bench.poll();
    const order = await bench.order(id);
    expect(order).toMatchObject({ state: 'Completed', delivered: 20, remains: 0, start_count: 7 });
    expect(order.next_attempt_at).toBeNull();
    expect(await bench.effects(id)).toEqual(['placed', 'started', 'finished']);
  },
  // However it goes, an order that has ended stays so.
  observe: async ({ id, ended }) => {
    const { state, provider_seq: seq } = await bench.order(id);
    if (seq === ended.seq) expect(state).toBe('Completed');
  },
});

const begun = ({ begun: news }: Scene) => news;
const ended = ({ ended: news }: Scene) => news;

test('an old poll and the event of the end, in every order of their statements', async () => {
  const played = await playAllOrders(bench.deps.database, newsRace(begun, ended));
  process.stdout.write(describePlayed('late poll and event', played));
  expect(played.schedules).toBeGreaterThan(3);
});

test('an old event and the poll of the end, in every order of their statements', async () => {
  const played = await playAllOrders(bench.deps.database, newsRace(ended, begun));
  process.stdout.write(describePlayed('poll and late event', played));
  expect(played.schedules).toBeGreaterThan(3);
});

test('the same news by both ways at once has its effects once', async () => {
  const played = await playAllOrders(bench.deps.database, newsRace(ended, ended));
  process.stdout.write(describePlayed('poll and event of the same', played));
  expect(played.schedules).toBeGreaterThan(3);
});

test('a poll that reads its orders without holding them is caught', async () => {
  const rewriteFirst = (text: string): string => text.replace(/ for update$/, '');
  const race = { ...newsRace(begun, ended), rewriteFirst };
  await expect(playAllOrders(bench.deps.database, race)).rejects.toThrow('After schedule');
});
