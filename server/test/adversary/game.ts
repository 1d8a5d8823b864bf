import { DAY_MS } from '#shared/domain/durations.ts';
import type { Shopper } from '../checkout-fixture.ts';

/** Steps in a day: moves fall on every sixth hour. */
export const STEPS_PER_DAY = 4;
export const STEP_MS = DAY_MS / STEPS_PER_DAY;

/** One thing the player does, so many steps after the one before. */
export interface Step {
  wait: number;
  move: string;
  /** Which plan, how many posts, and so on: 0 to 9. */
  choice: number;
}

/** A post of the player on the network. */
export interface OwnPost {
  id: string;
  shortcode: string;
  account: 0 | 1;
  takenAtMs: number;
  isThere: boolean;
}

/** A person the player signs up as, and what the product calls that person's two network accounts. */
export interface Person {
  shopper: Shopper;
  names: [first: string | undefined, second: string | undefined];
}

/** A network account that the player owns. */
interface OwnAccount {
  username: string;
  isHidden: boolean;
}

/** One player against the house, on a share of the world. */
export interface Player {
  nr: number;
  random: () => number;
  /** As the game proceeds; the steps to be played first, then those of the strategy. */
  played: Step[];
  planned: Step[];
  /** The world's step from which the next one's wait counts, and at which the last one was played. */
  dueAt: number;
  playedAt: number;
  person: Person;
  persons: Person[];
  accounts: [OwnAccount, OwnAccount];
  /** Which of the two accounts the moves are about. */
  current: 0 | 1;
  posts: OwnPost[];
  cardNumber: string;
  timeZone: string;
  /** The steps that have paid last: what the greedy part repeats. */
  pattern: Step[];
  /** Value received less money paid, as last measured, and how many steps had been played by then. */
  wealth: { cents: number; steps: number };
}

/** "d3+2 post 4": on day 3, at the third of its steps; in this form games are printed and kept. */
export function writeSteps(steps: readonly Step[]): string {
  let at = 0;
  return steps
    .map(({ wait, move, choice }) => {
      at += wait;
      return `d${Math.floor(at / STEPS_PER_DAY)}+${at % STEPS_PER_DAY} ${move} ${choice}`;
    })
    .join(', ');
}

export function readSteps(text: string): Step[] {
  let before = 0;
  return text.split(', ').map((each) => {
    const found = /^d(\d+)\+(\d) (.+) (\d)$/.exec(each);
    if (!found) throw new Error(`Not a step: "${each}"`);
    const [, day, step, move = '', choice] = found;
    const at = Number(day) * STEPS_PER_DAY + Number(step);
    const wait = at - before;
    before = at;
    return { wait, move, choice: Number(choice) };
  });
}
