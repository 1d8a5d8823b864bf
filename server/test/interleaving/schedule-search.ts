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
}

/**
 * Chooses schedules of two sides so that every order of their steps is played, or an order that can't
 * be told from it (dynamic partial order reduction with sleep sets, Flanagan and Godefroid 2005): two
 * orders are the same when they differ in neighbours that don't depend on each other.
 */
export class ScheduleSearch {
  #points: Point[] = [];
  #depth = 0;
  #lastOf: [number, number] = [-1, -1];

  /** Whose turn it is; to be asked at each point of a schedule where anybody can go on. */
  choose(ready: ReadonlyMap<Side, Access>): Side {
    const known = this.#points[this.#depth];
    if (!known) this.#points.push(this.#newPoint(new Map(ready)));
    const point = this.#points[this.#depth] as Point;
    if (!ready.has(point.chosen)) {
      throw new Error(`Side ${point.chosen} did something else than last time at ${this.#depth}`);
    }
    this.#record(point);
    this.#depth += 1;
    return point.chosen;
  }

  #newPoint(ready: Map<Side, Access>): Point {
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
    const awake = [...ready.keys()].filter((side) => !asleep.has(side));
    const chosen = awake[0] ?? firstOf(ready);
    return {
      ready,
      chosen,
      wanted: new Set([chosen]),
      tried: new Set(),
      asleep,
      after: [-1, -1],
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
      const wanted = earlier.ready.has(side) ? [side] : [...earlier.ready.keys()];
      for (const each of wanted) earlier.wanted.add(each);
      after[other] = index;
      after[side] = Math.max(after[side], earlier.after[side]);
      break;
    }
    after[side] = this.#depth;
    point.after = after;
    this.#lastOf[side] = this.#depth;
  }

  /** Prepares the next schedule. @returns false when every one has been played */
  next(): boolean {
    this.#depth = 0;
    this.#lastOf = [-1, -1];
    for (let point = this.#points.at(-1); point; point = this.#points.at(-1)) {
      point.tried.add(point.chosen);
      const next = [...point.wanted].find(
        (side) => !point.tried.has(side) && !point.asleep.has(side),
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

function firstOf(ready: ReadonlyMap<Side, Access>): Side {
  return ready.has(0) ? 0 : 1;
}
