import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createFakeDeliveryProvider } from '#server/adapters/provider/delivery-provider.fake.ts';
import { DetectionBench } from '#test/delivery/detection-bench.ts';
import { createTestDeps, type TestDeps } from '#test/test-deps.ts';
import {
  type Figures,
  type News,
  readFigures,
  WatchedUpload,
} from '#test/delivery/watched-upload.ts';
import { sendMail } from '#server/mail/queue.job.ts';
import { takeUnforwarded } from '#server/mail/owed-mail.repository.ts';
import { savePreference } from '#server/identity/users/user-preference.repository.ts';

/** Uploads polled in steps of three seconds, by everything that shows figures. */

const STEP_MS = 3000;
/** `LIKE_HISTORIES=8` for more. */
const HISTORIES = Number(process.env['LIKE_HISTORIES'] ?? 4);
let deps: TestDeps;
let bench: DetectionBench;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.database.close());
beforeEach(beginAnew);

/** Without customers, and with a provider that no fault waits for. */
async function beginAnew(): Promise<void> {
  deps.provider = createFakeDeliveryProvider();
  bench = new DetectionBench(deps);
  await bench.clear();
}

/** None falls but what remains. */
function expectNoFall(now: Figures, before: Figures): void {
  const { remains, ...others } = now;
  for (const [name, count] of Object.entries(others)) {
    expect(count, `${name} fell`).toBeGreaterThanOrEqual(before[name as keyof Figures]);
  }
  expect(remains).toBeLessThanOrEqual(before.remains);
}

/** Trouble on the way: nothing, no events, a provider or a network that fails every other time. */
const TROUBLES = ['none', 'no events', 'provider', 'network', 'late events'] as const;

test.each(TROUBLES)(
  'no figure falls but remains, and all sum up (trouble: %s)',
  async (trouble) => {
    const upload = await WatchedUpload.open(deps, bench);
    const { post, ref, target } = upload;
    const late: News[] = [];
    let before = await readFigures(upload);
    let [organic, delivered] = [2, 0];
    let reads = deps.network.calls.length;
    for (let step = 0; step < 40; step += 1) {
      deps.clock.advance(STEP_MS);
      organic += step % 4 === 0 ? 1 : 0;
      delivered = Math.min(target, delivered + 1 + (step % 3));
      const isDone = delivered === target;
      const news = deps.provider.advance(ref, {
        status: isDone ? 'Completed' : 'In progress',
        delivered,
        startCount: 2,
      });
      Object.assign(post, { likeCount: organic + delivered });
      const isFailing = step % 2 === 0;
      if (trouble === 'late events') late.push(news);
      if (late.length > 5) await upload.hear(late.shift() ?? news);
      if (trouble === 'none' || trouble === 'network') await upload.hear(news);
      if (trouble === 'network' && deps.network.calls.length > reads) {
        reads = deps.network.calls.length + 1;
        deps.network.queueRead({ kind: 'unreachable', reason: 'http_500', usage: undefined });
      }
      if (trouble === 'provider' && isFailing) {
        deps.provider.queueFailure({ kind: 'unavailable', reason: 'http_500' });
      }
      await bench.poll();
      if (step % 3 !== 1) await upload.poll();
      const now = await readFigures(upload);
      expectNoFall(now, before);
      expect(now.organic).toBeLessThanOrEqual(organic);
      before = now;
      if (isDone && now.remains === 0) break;
    }
    for (let polls = 0; polls < 3; polls += 1) await bench.pollLater(5 * 60_000);
    await upload.poll();
    expect(await readFigures(upload)).toMatchObject({ organic, delivered: target, remains: 0 });
  },
);

/** The outside world and what is heard of it, one step at a time. */
class Delivery {
  organic = 2;
  delivered = 0;
  /** All news there ever were: they come late, twice, or never. */
  readonly #news: News[] = [];
  #failsAt = 0;
  readonly #upload: WatchedUpload;

  constructor(upload: WatchedUpload) {
    this.#upload = upload;
  }

  /** The network counts what is there. */
  count(): void {
    Object.assign(this.#upload.post, { likeCount: this.organic + this.delivered });
  }

  deliver(likes: number): void {
    const { ref, target } = this.#upload;
    this.delivered = Math.min(target, this.delivered + likes);
    const status = this.delivered === target ? 'Completed' : 'In progress';
    const { delivered } = this;
    this.#news.push(deps.provider.advance(ref, { status, delivered, startCount: 2 }));
  }

  async step(kind: (typeof STEPS)[number], amount: number): Promise<void> {
    deps.clock.advance(STEP_MS);
    switch (kind) {
      case 'people like it':
        this.organic += amount % 4;
        break;
      case 'members like it':
        this.deliver(1 + (amount % 9));
        break;
      case 'the network counts':
        this.count();
        break;
      case 'news come': {
        const news = this.#news.at(-1 - (amount % Math.max(1, this.#news.length)));
        if (news) await this.#upload.hear(news);
        break;
      }
      case 'the network fails':
        // One fault waits at most, so that it is over when the history is.
        if (deps.network.calls.length >= this.#failsAt) {
          this.#failsAt = deps.network.calls.length + 1;
          deps.network.queueRead({ kind: 'unreachable', reason: 'http_500', usage: undefined });
        }
        await bench.poll();
        break;
      case 'a poll of the network':
        await bench.poll();
        break;
      case 'the provider fails':
        deps.provider.queueFailure({ kind: 'unavailable', reason: 'http_500' });
        await this.#upload.poll();
        break;
      case 'a poll':
        await this.#upload.poll();
    }
  }
}

const STEPS = [
  'people like it',
  'members like it',
  'the network counts',
  'news come',
  'the network fails',
  'a poll of the network',
  'the provider fails',
  'a poll',
] as const;
const HISTORY = fc.array(fc.tuple(fc.constantFrom(...STEPS), fc.nat({ max: 60 })), {
  minLength: 20,
  maxLength: 60,
});

test('in whatever order likes, counts, news and faults come, no figure falls but remains', async () => {
  const play = async (steps: Array<[(typeof STEPS)[number], number]>): Promise<void> => {
    await beginAnew();
    const upload = await WatchedUpload.open(deps, bench);
    const delivery = new Delivery(upload);
    let before = await readFigures(upload);
    for (const [kind, amount] of steps) {
      await delivery.step(kind, amount);
      const now = await readFigures(upload);
      expectNoFall(now, before);
      expect(now.organic).toBeLessThanOrEqual(delivery.organic);
      expect(now.delivered).toBeLessThanOrEqual(delivery.delivered);
      before = now;
    }
    delivery.deliver(upload.target);
    delivery.count();
    // Faults that nobody met yet are met now.
    for (let polls = 0; polls < 8; polls += 1) {
      await bench.pollLater(5 * 60_000);
      await upload.poll();
    }
    const { organic, delivered } = delivery;
    const total = organic + delivered;
    expect(await readFigures(upload)).toMatchObject({ total, organic, delivered, remains: 0 });
  };
  await fc.assert(fc.asyncProperty(HISTORY, play), { numRuns: HISTORIES, endOnFailure: true });
});

test('the mail tells what card and receipt show', async () => {
  const upload = await WatchedUpload.open(deps, bench);
  const { workspaceId, igUsername } = upload.customer;
  const { db } = deps.database;
  const people = db.selectFrom('app_user').select('id').where('workspace_id', '=', workspaceId);
  const { id: userId } = await people.executeTakeFirstOrThrow();
  await savePreference(db, { workspaceId, userId }, { likes_done_mail: true });
  const delivery = new Delivery(upload);
  delivery.deliver(upload.target);
  delivery.count();
  deps.clock.advance(STEP_MS);
  await upload.poll();
  const { delivered } = await readFigures(upload);
  deps.clock.advance(10 * 60_000);
  const now = new Date(deps.clock.now());
  const due = await deps.database.transaction((tx) => takeUnforwarded(tx, { now, limit: 100 }));
  for (const { id } of due) await sendMail(deps, { id, data: { workspaceId } });
  expect(deps.mailer.sent.map(({ text }) => text)).toEqual([
    expect.stringContaining(`Your post on @${igUsername} got ${delivered} likes.`),
  ]);
});

test('likes that came by themselves are organic as soon as the provider tells what it delivered', async () => {
  const upload = await WatchedUpload.open(deps, bench);
  const { delivered } = deps.provider.advance(upload.ref, {
    status: 'In progress',
    delivered: 10,
    startCount: 2,
  });
  Object.assign(upload.post, { likeCount: delivered + 5 });
  await bench.pollLater();
  deps.clock.advance(STEP_MS);
  await upload.poll();
  expect(await readFigures(upload)).toMatchObject({ organic: 5, delivered });
  expect(upload.target).toBeGreaterThan(delivered);
});

test('likes that the network takes away after ten quiet minutes are told, and organic stays', async () => {
  const upload = await WatchedUpload.open(deps, bench);
  const { post, ref } = upload;
  Object.assign(post, { likeCount: 3 });
  await upload.hear(deps.provider.advance(ref, { status: 'Processing', startCount: 3 }));
  const { delivered } = deps.provider.complete(ref);
  Object.assign(post, { likeCount: 3 + delivered });
  deps.clock.advance(STEP_MS);
  await upload.poll();
  await bench.pollLater();
  expect((await readFigures(upload)).organic).toBe(3);
  Object.assign(post, { likeCount: 3 + delivered - 8 });
  await bench.pollLater();
  expect((await readFigures(upload)).total).toBe(3 + delivered);
  for (let polls = 0; polls < 3; polls += 1) await bench.pollLater(5 * 60_000);
  const [row] = await bench.posts(upload.customer);
  expect(row).toMatchObject({ organic_likes: 3, lost_likes: 8, open_reading_at: null });
  Object.assign(post, { likeCount: 3 + delivered + 1 });
  await bench.pollLater();
  expect(await readFigures(upload)).toMatchObject({ organic: 4, total: 4 + delivered });
});

test('of a post whose count was always hidden no like is organic', async () => {
  const upload = await WatchedUpload.open(deps, bench, { likeCount: null });
  await upload.hear(deps.provider.advance(upload.ref, { status: 'In progress', delivered: 10 }));
  const [row] = await bench.posts(upload.customer);
  expect(row).toMatchObject({ like_count: null, organic_likes: 0, lost_likes: 0 });
});
