import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type {
  ReadAccountOutcome,
  ReadAccountRequest,
} from '#server/adapters/graph/social-network.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import { servePosts } from '#server/delivery/automatic/automatic-orders.ts';
import { createDetectionJob } from './detection.job.ts';
import { Detector } from './detector.ts';
import { readServiceClock } from './service-clock.repository.ts';

const BUCKET = '17841400000000001';
let deps: TestDeps;
let bench: DetectionBench;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(async () => {
  bench = new DetectionBench(deps);
  await bench.clear();
  deps.logged.length = 0;
});

/** The network, but these accounts' answers don't come by themselves. */
function hanging(...names: string[]) {
  const asked: string[] = [];
  const answers: Array<PromiseWithResolvers<ReadAccountOutcome>> = [];
  const readAccount = (request: ReadAccountRequest) => {
    asked.push(request.username);
    if (!names.includes(request.username)) return deps.network.readAccount(request);
    const answer = Promise.withResolvers<ReadAccountOutcome>();
    answers.push(answer);
    return answer.promise;
  };
  return { asked, answers, network: { ...deps.network, readAccount } };
}

test('of 100 accounts one whose answer hangs holds up none of the others, round after round', async () => {
  for (let index = 0; index < 100; index += 1) {
    await bench.schedule(deps.network.addAccount(`many${index}`));
  }
  const { asked, network } = hanging('many7');
  const detector = new Detector({ ...deps, network }, servePosts(deps));
  const stop = new AbortController();
  const others = () => asked.filter((name) => name !== 'many7');
  for (let time = 1; time <= 3; time += 1) {
    // A row whose last poll is being stored is locked, passed over, and claimed a round later.
    await expect
      .poll(async () => {
        await detector.round(stop.signal);
        return others().length;
      })
      .toBe(time * 99);
    deps.clock.advance(20_000);
  }
  expect(new Set(others()).size).toBe(99);
  stop.abort();
  await detector.settled();
});

test('while every poll hangs, no more of them are begun than may be in flight', async () => {
  const names = Array.from({ length: 140 }, (_, index) => `slow${index}`);
  for (const name of names) await bench.schedule(deps.network.addAccount(name));
  const { asked, network } = hanging(...names);
  const stop = new AbortController();
  const detector = new Detector({ ...deps, network }, servePosts(deps));
  const round = Promise.all([detector.round(stop.signal), detector.round(stop.signal)]);
  await expect.poll(() => asked.length).toBe(128);
  stop.abort();
  await round;
  await detector.settled();
  expect(asked).toHaveLength(128);
  // Those that waited for their turn are given back as well.
  const polls = await deps.database.db.selectFrom('poll_schedule').select('next_poll_at').execute();
  expect(polls).toHaveLength(140);
  expect(polls.filter((poll) => poll.next_poll_at.getTime() > deps.clock.now())).toEqual([]);
});

test('a worker that stops gives its polls back, and another takes them at once', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  const due = (await bench.scheduleRow(customer)).next_poll_at;
  const { asked, network } = hanging('ada');
  const stop = new AbortController();
  const running = createDetectionJob({ ...deps, network }, servePosts(deps)).run(stop.signal);
  await expect.poll(() => asked).toEqual(['ada']);
  stop.abort();
  await running;
  expect(await bench.scheduleRow(customer)).toMatchObject({ next_poll_at: due, failures: 0 });
  await bench.poll();
  expect((await bench.account(customer)).last_read_at).not.toBeNull();
  expect(deps.logged).toEqual([]);
});

test('a running job goes on polling, and finds what has appeared', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  const stop = new AbortController();
  const running = createDetectionJob(deps, servePosts(deps)).run(stop.signal);
  await expect
    .poll(() => bench.account(customer))
    .toMatchObject({ problem: null, followers: 1000 });
  deps.network.addPost('ada');
  await expect
    .poll(
      async () => {
        deps.clock.advance(250);
        return bench.orders(customer);
      },
      { interval: 1 },
    )
    .toHaveLength(1);
  stop.abort();
  await running;
});

test('a worker gives refused tokens another chance as it starts, and no more while it runs', async () => {
  await bench.schedule(deps.network.addAccount('ada'));
  deps.network.queueRead({ kind: 'refused', cause: 'token', code: 190, usage: undefined });
  const from = deps.network.calls.length;
  const beatAt = async () => (await readServiceClock(deps.database.db))?.beat_at;
  const stop = new AbortController();
  const job = createDetectionJob(deps, servePosts(deps));
  const running = job.run(stop.signal);
  await expect.poll(() => bench.bucket(BUCKET)).toMatchObject({ refused_code: 190 });
  // Each beat is another round, woken because it may have gone to sleep just now.
  for (let round = 1; round <= 2; round += 1) {
    deps.clock.advance(60_000);
    const now = new Date(deps.clock.now());
    const beatenAt = () => {
      job.wake();
      return beatAt();
    };
    await expect.poll(beatenAt).toEqual(now);
  }
  stop.abort();
  await running;
  expect(deps.network.calls).toHaveLength(from + 1);
});

test('a poll that fails in our own code is said and holds up nobody; one that was given back is not missed', async () => {
  await bench.schedule(deps.network.addAccount('ada'));
  const { answers, network } = hanging('ada');
  const detector = new Detector({ ...deps, network }, servePosts(deps));
  const stop = new AbortController();
  const said = () => deps.logged.map(({ event }) => event);
  await detector.round(stop.signal);
  await expect.poll(() => answers).toHaveLength(1);
  answers[0]?.reject(new Error('a bug'));
  await expect.poll(said).toEqual(['a poll failed']);
  deps.clock.advance(20_000);
  await detector.round(stop.signal);
  await expect.poll(() => answers).toHaveLength(2);
  stop.abort();
  answers[1]?.reject(new Error('a bug'));
  await detector.settled();
  expect(said()).toEqual(['a poll failed']);
});

test('a database that fails for a round costs that round only', async () => {
  const customer = await bench.schedule(deps.network.addAccount('ada'));
  const { database } = deps;
  let failures = 1;
  const failing = {
    ...database,
    get db() {
      if (failures-- > 0) throw new Error('connection lost');
      return database.db;
    },
  };
  const stop = new AbortController();
  const running = createDetectionJob({ ...deps, database: failing }, servePosts(deps)).run(
    stop.signal,
  );
  await expect
    .poll(async () => {
      deps.clock.advance(500);
      return (await bench.account(customer)).last_read_at;
    })
    .not.toBeNull();
  stop.abort();
  await running;
  expect(deps.logged.map(({ event }) => event)).toEqual(['job round failed']);
});
