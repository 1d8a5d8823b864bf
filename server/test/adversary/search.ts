import { pickNumber } from '../billing-sim/sim-world.ts';
import { seededRandom } from '../seeded.ts';
import type { TestDatabase } from '../test-database.ts';
import { type Step, writeSteps } from './game.ts';
import type { House } from './house.ts';
import { type Game, type GameResult, playGames } from './play-games.ts';
import { cross, mutate } from './strategy.ts';
import { unusedCents } from './wealth.ts';

export interface Search {
  seed: number;
  games: number;
  /** Side by side in one world, each world on a database of its own. */
  gamesPerWorld: number;
  days: number;
  hasFaults: boolean;
  house: House;
  /** Sequences to begin with: played as they are, then bred from like the best. */
  openings: ReadonlyArray<readonly Step[]>;
  openDatabase: () => Promise<TestDatabase>;
  onWorld?: (played: number, best: GameResult | undefined) => void;
}

export interface SearchReport {
  played: number;
  /** The best games, best first, each sequence once. */
  best: GameResult[];
  counts: Record<string, number>;
  violations: string[];
}

const KEPT = 30;

/**
 * Plays worlds of games one after another. A third of the games of each is chance alone; the others
 * begin as mutants and crossings of the most promising games so far, and of the openings.
 */
export async function searchForLeaks(search: Search): Promise<SearchReport> {
  const random = seededRandom(search.seed);
  const counts: Record<string, number> = {};
  const openings = search.openings.map((planned) => ({ seed: 1, planned, isOpen: false }));
  const violations: string[] = [];
  let best: GameResult[] = [];
  let promising: GameResult[] = [];
  let played = 0;
  while (played < search.games) {
    const size = Math.min(search.gamesPerWorld, search.games - played);
    const parents =
      played === 0 ? [] : [...promising.map(({ steps }) => steps), ...search.openings];
    const bred = Array.from({ length: size }, () => breed(random, parents));
    const games = played === 0 ? [...openings, ...bred].slice(0, size) : bred;
    const { house, days, hasFaults } = search;
    const database = await search.openDatabase();
    const seed = pickNumber(random, 1, 1_000_000_000);
    const world = await playGames(games, { seed, database, house, days, hasFaults });
    await database.close();
    for (const [what, times] of Object.entries(world.counts)) {
      counts[what] = (counts[what] ?? 0) + times;
    }
    violations.push(...world.violations);
    best = keepBest([...best, ...world.results], gain);
    promising = keepBest([...promising, ...world.results], promise);
    played += size;
    search.onWorld?.(played, best[0]);
  }
  return { played, best, counts, violations };
}

function breed(random: () => number, parents: ReadonlyArray<readonly Step[]>): Game {
  const seed = pickNumber(random, 1, 1_000_000_000);
  const one = pick(random, parents);
  const other = pick(random, parents);
  const dice = random();
  if (!one || !other || dice < 0.33) return { seed, planned: [], isOpen: true };
  const planned = dice < 0.85 ? mutate(random, one) : cross(random, one, other);
  return { seed, planned, isOpen: random() < 0.3 };
}

/** The first ones more often. */
function pick<T>(random: () => number, all: readonly T[]): T | undefined {
  return all[Math.floor(random() ** 2 * all.length)];
}

/** Of each sequence one, the best first. */
function keepBest(
  results: readonly GameResult[],
  by: (result: GameResult) => number,
): GameResult[] {
  const once = new Map(results.map((result) => [writeSteps(result.steps), result]));
  return [...once.values()].toSorted((a, b) => by(b) - by(a)).slice(0, KEPT);
}

/** In tenths of a cent; of several that gain the same, the one that moved more money says more. */
const gain = ({ gainCents, wealth }: GameResult): number =>
  Math.round(10 * gainCents) + wealth.chargedCents / 1e9;

/**
 * What a game would gain if the rest of its plans were used as well: a leak shows here long before it has
 * paid for a month. Whoever does nothing loses nothing, so a little is added for what was moved.
 */
function promise({ gainCents, wealth }: GameResult): number {
  const { chargedCents, planLikesCents } = wealth;
  return gainCents + unusedCents(wealth) + 5 * Math.log10(1 + chargedCents + 10 * planLikesCents);
}
