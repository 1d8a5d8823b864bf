import { pickNumber } from '../billing-sim/sim-world.ts';
import { seededRandom } from '../seeded.ts';
import type { TestDatabase } from '../databases/test-database.ts';
import { type Step, writeSteps } from './game.ts';
import type { House } from './house.ts';
import { type Game, type GameResult, playGames } from './play-games.ts';
import { climb, KINDS_OF_TURNS, sprint } from './sprint.ts';
import { cross, mutate } from './strategy.ts';
import { paidCents, unusedCents } from './wealth.ts';

export interface Search {
  seed: number;
  games: number;
  /** Side by side in one world, each world on a database of its own. */
  gamesPerWorld: number;
  days: number;
  /** One game in ten lasts so long instead, in a world of its own; left out: none does. */
  longDays?: number;
  hasFaults: boolean;
  house: House;
  /** Sequences to begin with: played as they are, then bred from like the best. */
  openings: ReadonlyArray<readonly Step[]>;
  openDatabase: () => Promise<TestDatabase>;
  /** It ends with the world in which a game has gained so much. */
  enoughCents?: number;
  onWorld?: (played: number, best: GameResult | undefined) => void;
}

export interface SearchReport {
  played: number;
  /** The best games, best first, each sequence once. */
  best: GameResult[];
  /** The best of those that have paid something in the end. */
  bestPaying: GameResult[];
  counts: Record<string, number>;
  violations: string[];
}

const KEPT = 30;
const LONG_SHARE = 0.1;

/**
 * Plays worlds of games one after another. A quarter of the games of each is chance alone, some
 * turn one payment soon or go on from the very best; the others begin as mutants and crossings of the
 * most promising games so far, and of the openings.
 */
export async function searchForLeaks(search: Search): Promise<SearchReport> {
  const random = seededRandom(search.seed);
  const openings = search.openings.map((planned) => ({ seed: 1, planned, isOpen: false }));
  const report: SearchReport = { played: 0, best: [], bestPaying: [], counts: {}, violations: [] };
  const enoughCents = search.enoughCents ?? Infinity;
  let promising: GameResult[] = [];
  const climbs: Climbs = { nth: 0, from: [] };
  while (report.played < search.games && (report.best[0]?.gainCents ?? 0) < enoughCents) {
    const size = Math.min(search.gamesPerWorld, search.games - report.played);
    const isFirst = report.played === 0;
    const parents = isFirst ? [] : [...promising.map(({ steps }) => steps), ...search.openings];
    const bred = Array.from({ length: size }, () => breed(random, parents, climbs));
    const games = isFirst ? [...openings, ...bred].slice(0, size) : bred;
    const short = games.slice(0, search.longDays ? Math.ceil(size * (1 - LONG_SHARE)) : size);
    const results = [
      ...(await playWorld(search, report, random, { games: short, days: search.days })),
      ...(await playWorld(search, report, random, {
        games: games.slice(short.length),
        days: search.longDays ?? search.days,
      })),
    ];
    report.best = keepBest([...report.best, ...results], gain);
    const paying = results.filter(({ wealth }) => paidCents(wealth) > 0);
    report.bestPaying = keepBest([...report.bestPaying, ...paying], gain);
    promising = keepBest([...promising, ...results], promise);
    climbs.from = keepBest([...climbs.from, ...results], steepness).slice(0, FEET);
    report.played += size;
    search.onWorld?.(report.played, report.best[0]);
  }
  return report;
}

async function playWorld(
  { house, hasFaults, openDatabase }: Search,
  report: SearchReport,
  random: () => number,
  { games, days }: { games: readonly Game[]; days: number },
): Promise<GameResult[]> {
  if (games.length === 0) return [];
  const database = await openDatabase();
  const seed = pickNumber(random, 1, 1_000_000_000);
  const world = await playGames(games, { seed, database, house, days, hasFaults });
  await database.close();
  for (const [what, times] of Object.entries(world.counts)) {
    report.counts[what] = (report.counts[what] ?? 0) + times;
  }
  report.violations.push(...world.violations);
  return world.results;
}

/** Which turns have been tried upon which games. */
interface Climbs {
  nth: number;
  from: GameResult[];
}

const FEET = 5;
const BY_CHANCE = 0.25;
const FOR_ONE_PAYMENT = 0.4;
const CLIMBS = 0.65;
const MUTANTS = 0.25;

function breed(
  random: () => number,
  parents: ReadonlyArray<readonly Step[]>,
  climbs: Climbs,
): Game {
  const seed = pickNumber(random, 1, 1_000_000_000);
  const one = pick(random, parents);
  const other = pick(random, parents);
  const dice = random();
  // The first world has nothing to breed from.
  const sprints = one ? FOR_ONE_PAYMENT : 1 - BY_CHANCE;
  if (dice < sprints) {
    const { nth, from } = climbs;
    const foot = from[Math.floor(nth / KINDS_OF_TURNS) % from.length];
    if (!foot || random() > CLIMBS) return { seed, planned: sprint(random), isOpen: false };
    climbs.nth += 1;
    return { seed, planned: climb(random, foot.steps, nth), isOpen: false };
  }
  if (!one || !other || dice < sprints + BY_CHANCE) return { seed, planned: [], isOpen: true };
  const isMutant = dice < sprints + BY_CHANCE + MUTANTS;
  const planned = isMutant ? mutate(random, one) : cross(random, one, other);
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

/** Of a few steps that promise much one more may be enough; many plans at once are hard to turn. */
const steepness = (result: GameResult): number => promise(result) / (1 + result.steps.length);
