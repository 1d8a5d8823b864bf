import { type Access, areDependent } from './statement-access.ts';

/** 0 or 1: which of the two sides. */
export type Side = 0 | 1;

/** A point at which somebody had to be let go on. */
interface Point {
  /** Next step of each side that could have gone. */
  ready: Map<Side, Access>;
  chosen: Side;
  /** To be tried from here; what was tried. */
  wanted: Set<Side>;
  tried: Set<Side>;
  /** Going there leads only to what has been seen. */
  asleep: Set<Side>;
  /** The newest step of each side that this step comes after in any order. */
  after: [number, number];
  /** Who took the step before and could take another; where it was somebody else's turn anyway, nobody. */
  from: Side | undefined;
  /** How often a side was left before this point although it could have gone on. */
  switches: number;
}

/**
 * Chooses schedules of two sides so that every order of their steps is played, or an order that can't
 * be told from it (dynamic partial order reduction with sleep sets, Flanagan and Godefroid 2005): two
 * orders are the same when they differ in neighbours that don't depend on each other. With a limit of switches
 * it looks at the schedules that most races need little of (Musuvathi and Qadeer 2007), and proves less: an
 * order within the limit may be left out because its like was cut off beyond it.
 */
export class ScheduleSearch {
  readonly #switchesLimit: number;
  #points: Point[] = [];
  #depth = 0;
  #lastOf: [number, number] = [-1, -1];

  /** @param switchesLimit how often a schedule may leave a side that could go on */
  constructor(switchesLimit = Infinity) {
    this.#switchesLimit = switchesLimit;
  }

  /**
   * Whose turn it is; to be asked at each point of a schedule where anybody can go on.
   * @param isForced nobody can, so that whoever is chosen left nobody
   */
  choose(ready: ReadonlyMap<Side, Access>, isForced = false): Side {
    const known = this.#points[this.#depth];
    if (!known) this.#points.push(this.#newPoint(new Map(ready), isForced));
    const point = this.#points[this.#depth] as Point;
    if (!ready.has(point.chosen)) {
      throw new Error(`Side ${point.chosen} did something else than last time at ${this.#depth}`);
    }
    this.#record(point);
    this.#depth += 1;
    return point.chosen;
  }

  #newPoint(ready: Map<Side, Access>, isForced: boolean): Point {
    const before = this.#points[this.#depth - 1];
    const asleep = new Set<Side>();
    const step = before?.ready.get(before.chosen);
    if (before && step) {
      for (const side of [...before.asleep, ...before.tried]) {
        const other = ready.get(side);
        const isSame = side !== before.chosen && other !== undefined;
        if (isSame && !areDependent(other, step)) asleep.add(side);
      }
    }
    const from = before && ready.has(before.chosen) && !isForced ? before.chosen : undefined;
    const switches = before ? switchesWith(before, before.chosen) : 0;
    const sides = [...ready.keys()];
    if (from === 1) sides.reverse();
    const affordable = sides.filter(
      (side) => switchesWith({ from, switches }, side) <= this.#switchesLimit,
    );
    const chosen = affordable.find((side) => !asleep.has(side)) ?? affordable[0] ?? firstOf(ready);
    return {
      ready,
      chosen,
      wanted: new Set([chosen]),
      tried: new Set(),
      asleep,
      after: [-1, -1],
      from,
      switches,
    };
  }

  /** Wants the turn of this step also before the newest step of the other side that it depends on. */
  #record(point: Point): void {
    const side = point.chosen;
    const other: Side = side === 0 ? 1 : 0;
    const access = point.ready.get(side) as Access;
    const previous = this.#points[this.#lastOf[side]];
    const after: [number, number] =
      previous && this.#lastOf[side] >= 0 ? [...previous.after] : [-1, -1];
    for (let index = this.#depth - 1; index > after[other]; index -= 1) {
      const earlier = this.#points[index] as Point;
      const theirs = earlier.ready.get(earlier.chosen) as Access;
      if (earlier.chosen !== other || !areDependent(theirs, access)) continue;
      want(earlier, side);
      if (this.#switchesLimit < Infinity) want(this.#beginOfTurn(index), side);
      after[other] = index;
      after[side] = Math.max(after[side], earlier.after[side]);
      break;
    }
    after[side] = this.#depth;
    point.after = after;
    this.#lastOf[side] = this.#depth;
  }

  /** Where the side that took this step came to its turn: one may be left there that can't be left later. */
  #beginOfTurn(index: number): Point {
    let begin = index;
    const { chosen } = this.#points[index] as Point;
    while (this.#points[begin - 1]?.chosen === chosen) begin -= 1;
    return this.#points[begin] as Point;
  }

  /** Prepares the next schedule. @returns false when every one has been played */
  next(): boolean {
    this.#depth = 0;
    this.#lastOf = [-1, -1];
    for (let point = this.#points.at(-1); point; point = this.#points.at(-1)) {
      point.tried.add(point.chosen);
      const next = [...point.wanted].find(
        (side) =>
          !point.tried.has(side) &&
          !point.asleep.has(side) &&
          switchesWith(point, side) <= this.#switchesLimit,
      );
      if (next !== undefined) {
        point.chosen = next;
        return true;
      }
      this.#points.pop();
    }
    return false;
  }
}

function want(point: Point, side: Side): void {
  const wanted = point.ready.has(side) ? [side] : [...point.ready.keys()];
  for (const each of wanted) point.wanted.add(each);
}

function switchesWith({ from, switches }: Pick<Point, 'from' | 'switches'>, side: Side): number {
  return from === undefined || side === from ? switches : switches + 1;
}

function firstOf(ready: ReadonlyMap<Side, Access>): Side {
  return ready.has(0) ? 0 : 1;
}
