import { expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../databases/test-database.ts';
import { readSteps, writeSteps } from './game.ts';
import { type House, REAL_HOUSE } from './house.ts';
import { KEPT_GAMES } from './kept-games.ts';
import {
  FOUND_CENTS,
  HEARS_NO_DISPUTES,
  PAYS_FOR_DELETED_POSTS,
  PAYS_UNUSED_TIME,
} from './planted-leaks.ts';
import { playGames } from './play-games.ts';
import { type Search, searchForLeaks } from './search.ts';
import { BOUND_CENTS } from './wealth.ts';

/** On one connection a seed plays the same games again. */
const openDatabase = (): Promise<TestDatabase> => createTestDatabase({ connections: 1 });

test('a game can be written down and read again', () => {
  for (const game of Object.values(KEPT_GAMES)) expect(writeSteps(readSteps(game))).toBe(game);
});

test('games that once gained something gain nothing any more', async () => {
  const names = Object.keys(KEPT_GAMES);
  const games = Object.values(KEPT_GAMES).map((game) => ({
    seed: 1,
    planned: readSteps(game),
    isOpen: false,
  }));
  const options = { seed: 1, house: REAL_HOUSE, days: 35, hasFaults: false };
  const { results } = await playGames(games, { ...options, database: await openDatabase() });
  const gains = results.map(
    ({ gainCents }, nr) => `${names[nr]}: ${gainCents > BOUND_CENTS ? gainCents : 0}`,
  );
  expect(gains).toEqual(names.map((name) => `${name}: 0`));
});

/** `GAMES=18` for more. */
const GAMES = Number(process.env['GAMES'] ?? 8);
const SMALL = {
  seed: 1,
  games: GAMES,
  days: 12,
  hasFaults: false,
  openDatabase,
};

// Without the kept games, which are played above for longer.
test('players who search gain nothing', async () => {
  const { gains, violations } = await search(REAL_HOUSE, { ...SMALL, openings: [] });
  expect({ gains, violations }).toEqual({ gains: [], violations: [] });
});

test.each([
  ['unused time by the millisecond', PAYS_UNUSED_TIME],
  ['a dispute that is never heard of', HEARS_NO_DISPUTES],
])('players who search find a planted leak: %s', async (_leak, house) => {
  const openings = Object.values(KEPT_GAMES).map(readSteps);
  expect((await search(house, { games: 10, days: 4, openings })).gains).not.toEqual([]);
});

test('players who are told nothing find that deleted posts are paid for', async () => {
  const { best } = await searchForLeaks({
    ...SMALL,
    seed: 5,
    games: 60,
    gamesPerWorld: 20,
    days: 3,
    house: PAYS_FOR_DELETED_POSTS,
    openings: [],
    enoughCents: FOUND_CENTS,
  });
  expect(best[0]?.gainCents).toBeGreaterThan(FOUND_CENTS);
});

/** A small search, and the games of it that gained. */
async function search(
  house: House,
  { games, days, openings }: Pick<Search, 'games' | 'days' | 'openings'>,
): Promise<{ gains: string[]; violations: string[] }> {
  const { best, violations } = await searchForLeaks({
    ...SMALL,
    games,
    gamesPerWorld: games,
    days,
    house,
    openings,
  });
  const gains = best
    .filter(({ gainCents }) => gainCents > BOUND_CENTS)
    .map(({ gainCents, steps }) => `${gainCents}: ${writeSteps(steps)}`);
  return { gains, violations };
}
