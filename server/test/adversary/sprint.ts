import { pickNumber } from '../billing-sim/sim-world.ts';
import { type Step, STEPS_PER_DAY } from './game.ts';

/** What ends, turns or takes back what was just paid for, with how often each comes. */
const TURNS: ReadonlyArray<readonly [move: string, weight: number]> = [
  ['money back', 4],
  ['stop now', 4],
  ['delete posts', 4],
  ['dispute', 1],
  ['change', 1],
  ['stop later', 1],
  ['pause', 1],
  ['resume', 1],
  ['dispute decided', 1],
  ['keep plan', 1],
  ['hide', 1],
  ['show', 1],
  ['restore posts', 1],
  ['order likes', 1],
  ['subscribe saved', 1],
];
export const KINDS_OF_TURNS = TURNS.length;
const DRAWN = TURNS.flatMap(([move, weight]) => Array.from({ length: weight }, () => move));
const TOP_PLAN = 8;
/** Steps before the next of the moves: rounds are over within a day or two. */
const CLOSE = [0, 0, 1, 1, 1, 2] as const;
const ROUNDS_LIMIT = 12;

/**
 * A game about one payment: a plan, a higher one more often, a few posts, and what turns the payment soon
 * afterwards; perhaps the same again day by day. What months of chance would bury shows here by itself.
 */
export function sprint(random: () => number): Step[] {
  const plan = random() < 0.6 ? TOP_PLAN : pickNumber(random, 0, 9);
  const buys = random() < 0.9 ? 'subscribe' : 'buy credits';
  const round: Step[] = [{ wait: 0, move: buys, choice: plan }];
  const moves = pickNumber(random, 2, 4);
  for (let n = 0; n < moves; n += 1) {
    const isPost = random() < (n === 0 ? 0.8 : 0.3);
    const choice = random() < 0.7 ? 3 : pickNumber(random, 0, 9);
    const wait = pick<number>(random, CLOSE, 1);
    round.push({ wait, move: isPost ? 'post' : pick(random, DRAWN, 'stop now'), choice });
  }
  const took = round.reduce((total, { wait }) => total + wait, 0);
  const untilNext = STEPS_PER_DAY - (took % STEPS_PER_DAY);
  const again = round.map((step, nr) => (nr === 0 ? { ...step, wait: untilNext } : step));
  const rounds = random() < 0.5 ? 1 : pickNumber(random, 2, ROUNDS_LIMIT);
  return [...round, ...Array.from({ length: rounds - 1 }, () => again).flat()];
}

/** A game with one such turn more, mostly at its end: the nth climb from a game tries the nth kind. */
export function climb(random: () => number, steps: readonly Step[], nth: number): Step[] {
  const at = random() < 0.8 ? steps.length : pickNumber(random, 1, Math.max(1, steps.length));
  const [move = ''] = TURNS[nth % TURNS.length] ?? [];
  const step = { wait: pickNumber(random, 1, 3), move, choice: pickNumber(random, 0, 9) };
  return steps.toSpliced(at, 0, step);
}

function pick<T>(random: () => number, all: readonly T[], otherwise: T): T {
  return all[pickNumber(random, 0, all.length - 1)] ?? otherwise;
}
