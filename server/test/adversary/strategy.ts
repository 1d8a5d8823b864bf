import { pickNumber } from '../billing-sim/sim-world.ts';
import { type Player, type Step, STEPS_PER_DAY } from './game.ts';

/** How often each move is tried, of all together. */
const WEIGHTS: ReadonlyArray<readonly [move: string, weight: number]> = [
  ['post', 22],
  ['subscribe', 12],
  ['subscribe saved', 3],
  ['prove account', 2],
  ['change', 9],
  ['keep plan', 2],
  ['money back', 5],
  ['stop now', 4],
  ['stop later', 3],
  ['resume', 6],
  ['pause', 6],
  ['delete posts', 4],
  ['restore posts', 1],
  ['hide', 2],
  ['show', 3],
  ['rename', 2],
  ['follow name', 2],
  ['move plan', 1],
  ['change network id', 1],
  ['add account', 2],
  ['remove account', 2],
  ['buy credits', 2],
  ['buy credits saved', 1],
  ['order likes', 4],
  ['switch likes', 1],
  ['card', 2],
  ['dispute', 2],
  ['dispute decided', 2],
  ['zone', 1],
  ['new person', 1],
  ['other person', 1],
  ['delete person', 1],
];
const TOTAL = WEIGHTS.reduce((total, [, weight]) => total + weight, 0);
/** Mostly soon, now and then for days or a week; seldom until a period is over. */
const A_MONTH = 30 * STEPS_PER_DAY;
const WAITS = [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3, 4, 4, 4, 12, 28] as const;
const LONGEST = 150;

/** What a player does next: what has paid, again, or anything. */
export function nextStep(player: Player): Step {
  const { random, pattern, played } = player;
  if (played.length === 0 && random() < 0.7) return { ...randomStep(random), move: 'subscribe' };
  if (random() < 0.01) return { ...randomStep(random), wait: A_MONTH };
  if (pattern.length > 0 && random() < 0.3) {
    player.planned.push(...pattern);
    player.pattern = random() < 0.5 ? pattern : [];
    return player.planned.shift() ?? randomStep(random);
  }
  return randomStep(random);
}

function randomStep(random: () => number): Step {
  const wait = WAITS[pickNumber(random, 0, WAITS.length - 1)] ?? 1;
  return { wait, move: randomMove(random), choice: pickNumber(random, 0, 9) };
}

function randomMove(random: () => number): string {
  let below = random() * TOTAL;
  for (const [move, weight] of WEIGHTS) {
    below -= weight;
    if (below < 0) return move;
  }
  return 'post';
}

/** A game like another one: a few steps more, fewer, changed, moved, or a stretch of it again. */
export function mutate(random: () => number, steps: readonly Step[]): Step[] {
  let mutant = [...steps];
  const changes = pickNumber(random, 1, 4);
  for (let n = 0; n < changes; n += 1) mutant = mutateOnce(random, mutant);
  return mutant.slice(0, LONGEST);
}

function mutateOnce(random: () => number, steps: Step[]): Step[] {
  const at = pickNumber(random, 0, Math.max(0, steps.length - 1));
  const step = steps[at];
  if (!step) return [randomStep(random)];
  switch (pickNumber(random, 0, 6)) {
    case 0:
      return steps.toSpliced(at, 0, randomStep(random));
    case 1:
      return steps.toSpliced(at, 1);
    case 2:
      return steps.with(at, { ...step, choice: pickNumber(random, 0, 9) });
    case 3:
      return steps.with(at, { ...step, wait: randomStep(random).wait });
    case 4:
      return steps.with(at, { ...randomStep(random), wait: step.wait });
    case 5:
      return steps.slice(0, at + 1);
    default:
      return repeatStretch(random, steps, at);
  }
}

function repeatStretch(random: () => number, steps: readonly Step[], at: number): Step[] {
  const until = Math.min(steps.length, at + pickNumber(random, 1, 6));
  const stretch = steps.slice(at, until);
  const times = pickNumber(random, 1, 6);
  const again = Array.from({ length: times }, () => stretch).flat();
  return [...steps.slice(0, until), ...again, ...steps.slice(until)];
}

/** The beginning of one game and the end of another. */
export function cross(random: () => number, one: readonly Step[], other: readonly Step[]): Step[] {
  const head = one.slice(0, pickNumber(random, 0, one.length));
  return [...head, ...other.slice(pickNumber(random, 0, other.length))].slice(0, LONGEST);
}
