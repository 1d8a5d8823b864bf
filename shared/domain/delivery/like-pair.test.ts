import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  COUNT_LAG_MS,
  likeCounts,
  type LikePair,
  type PairedOrder,
  pairLikes,
} from './like-pair.ts';
import { isFinal } from './order-state.ts';

const START = 1_000_000_000;

const order = (known: Partial<PairedOrder>): PairedOrder => ({
  state: 'In progress',
  target: 100,
  delivered: 0,
  knownAtMs: null,
  startCount: null,
  startedAtMs: null,
  finishedAtMs: null,
  ...known,
});

test('a count that was read before news of our likes came makes none of them organic', () => {
  const running = order({ delivered: 30, knownAtMs: START - 5000, startCount: 7 });
  const reading = { total: 57, atMs: START };
  expect(pairLikes({ organic: 7, lost: 0 }, reading, [running])).toMatchObject({ organic: 7 });
  const asked = { ...running, delivered: 48, knownAtMs: START + 5000 };
  expect(pairLikes({ organic: 7, lost: 0 }, reading, [asked])).toMatchObject({ organic: 9 });
});

test('the start count counts: a receipt never has more likes at its start than the post had organic', () => {
  const started = order({ state: 'Processing', startCount: 2 });
  expect(pairLikes({ organic: 0, lost: 0 }, undefined, [started])).toMatchObject({ organic: 2 });
});

test('a fall is believed only when nothing of ours has run for ten minutes, and told as lost', () => {
  const ended = order({ state: 'Completed', delivered: 100, finishedAtMs: START });
  const before: LikePair = { organic: 20, lost: 0 };
  const soon = pairLikes(before, { total: 90, atMs: START + COUNT_LAG_MS - 1 }, [ended]);
  expect(soon).toEqual({ ...before, isSettled: false });
  const later = pairLikes(before, { total: 90, atMs: START + COUNT_LAG_MS }, [ended]);
  expect(later).toEqual({ organic: 20, lost: 30, isSettled: true });
  const back = pairLikes(later, { total: 125, atMs: START + 2 * COUNT_LAG_MS }, [ended]);
  expect(back).toEqual({ organic: 25, lost: 0, isSettled: true });
});

/** The true state of a post, and what is known of it: news come late, twice, or not at all. */
class World {
  nowMs = START;
  organic: number;
  readonly orders: Array<{ known: PairedOrder; true: number; startCount: number; news: number[] }> =
    [];
  pair: LikePair;
  #reading: { total: number; atMs: number } | undefined;
  #asked: { total: number } | undefined;
  #polled: { nth: number; delivered: number; atMs: number } | undefined;

  constructor(organic: number) {
    this.organic = organic;
    this.pair = { organic, lost: 0 };
  }

  get total(): number {
    return this.organic + this.orders.reduce((sum, each) => sum + each.true, 0);
  }

  get shown() {
    const delivered = this.orders.reduce((sum, { known }) => sum + known.delivered, 0);
    const { organic, lost } = this.pair;
    return { organic, lost, delivered, total: organic + delivered - lost };
  }

  step(kind: number, amount: number): void {
    this.nowMs += 1 + amount * 100;
    const nth = amount % Math.max(1, this.orders.length);
    const one = this.orders[nth];
    switch (kind) {
      case 0:
        this.organic += amount % 7;
        break;
      case 1:
        if (this.orders.length < 3) this.#order(20 + amount);
        break;
      case 2:
        if (one && !isFinal(one.known.state)) this.#deliver(one, amount % 9);
        break;
      case 3: {
        const delivered = one?.news[amount % Math.max(1, one.news.length)];
        if (delivered !== undefined) this.#hear(nth, delivered);
        break;
      }
      case 4:
        this.#asked = { total: this.total };
        break;
      case 5:
        if (this.#asked) this.#reading = { ...this.#asked, atMs: this.nowMs };
        this.#settle();
        break;
      case 6:
        if (one) this.#polled = { nth, delivered: one.true, atMs: this.nowMs };
        break;
      case 7:
        if (this.#polled) this.#answer(this.#polled);
        break;
      default:
        if (one && !isFinal(one.known.state)) this.#end(nth);
    }
  }

  /** Time passes, and a reading of it comes in. */
  rest(): void {
    for (const nth of this.orders.keys()) this.#end(nth);
    this.nowMs += COUNT_LAG_MS;
    this.#reading = { total: this.total, atMs: this.nowMs };
    this.#settle();
  }

  #order(target: number): void {
    this.orders.push({ known: order({ target }), true: 0, startCount: this.total, news: [] });
  }

  #deliver(one: World['orders'][number], likes: number): void {
    one.true = Math.min(one.known.target, one.true + likes);
    one.news.push(one.true);
  }

  #hear(nth: number, delivered: number): void {
    this.#know(nth, (known) => ({
      ...known,
      delivered: Math.max(known.delivered, delivered),
      startCount: this.orders[nth]?.startCount ?? null,
      startedAtMs: known.startedAtMs ?? this.nowMs,
    }));
  }

  #answer({ nth, delivered, atMs }: { nth: number; delivered: number; atMs: number }): void {
    this.#hear(nth, delivered);
    this.#know(nth, (known) => ({ ...known, knownAtMs: Math.max(known.knownAtMs ?? 0, atMs) }));
    this.#settle();
  }

  #end(nth: number): void {
    this.#know(nth, (known) => ({
      ...known,
      state: 'Partial',
      delivered: this.orders[nth]?.true ?? 0,
      finishedAtMs: known.finishedAtMs ?? this.nowMs,
    }));
    this.#settle();
  }

  #know(nth: number, learn: (known: PairedOrder) => PairedOrder): void {
    const one = this.orders[nth];
    if (one && !isFinal(one.known.state)) one.known = learn(one.known);
  }

  #settle(): void {
    const known = this.orders.map((each) => each.known);
    const { organic, lost } = pairLikes(this.pair, this.#reading, known);
    this.pair = { organic, lost };
  }
}

const STEPS = fc.array(fc.tuple(fc.nat({ max: 8 }), fc.nat({ max: 60 })), { maxLength: 120 });

test('whatever comes late, twice, in any order or never: no figure falls, and all sum up', () => {
  fc.assert(
    fc.property(fc.nat({ max: 400 }), STEPS, (organic, steps) => {
      const world = new World(organic);
      let before = world.shown;
      for (const [kind, amount] of steps) {
        world.step(kind, amount);
        const { shown } = world;
        expect(shown.organic).toBeGreaterThanOrEqual(before.organic);
        expect(shown.delivered).toBeGreaterThanOrEqual(before.delivered);
        expect(shown.total).toBeGreaterThanOrEqual(before.total);
        expect(shown.organic).toBeLessThanOrEqual(world.organic);
        expect(shown.total).toBeLessThanOrEqual(world.total);
        before = shown;
      }
      world.rest();
      expect(world.shown).toMatchObject({ organic: world.organic, lost: 0, total: world.total });
    }),
    { numRuns: 2000 },
  );
});

test('the parts of a total sum up, also where others have ordered or likes are gone', () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.nat(), (total, organic, delivered) => {
      const counts = likeCounts({ total, organic, delivered });
      expect(counts.organic + counts.delivered + counts.elsewhere - counts.lost).toBe(total);
      expect(Math.min(counts.elsewhere, counts.lost)).toBe(0);
    }),
  );
});
