import { expect, test } from 'vitest';
import { createTestDatabase } from '../test-database.ts';
import { readSteps, writeSteps } from './game.ts';
import { type House, REAL_HOUSE } from './house.ts';
import { KEPT_GAMES } from './kept-games.ts';
import { PAYS_FOR_DELETED_POSTS, PAYS_UNUSED_TIME } from './planted-leaks.ts';
import { playGames } from './play-games.ts';
import { searchForLeaks } from './search.ts';
import { BOUND_CENTS } from './wealth.ts';

/** 20 s for all on a quiet machine. */
const SLOW = { timeout: 180_000 };

test('a game can be written down and read again', () => {
  for (const game of Object.values(KEPT_GAMES)) expect(writeSteps(readSteps(game))).toBe(game);
});

test('players who search find a planted leak: unused time by the millisecond', SLOW, async () => {
  expect(await findGains(PAYS_UNUSED_TIME)).not.toEqual([]);
});

test('a kept game finds a planted leak: credits for a deleted post', SLOW, async () => {
  const name = 'credits for posts that one deleted, and then the money';
  const game = { seed: 1, planned: readSteps(KEPT_GAMES[name] ?? ''), isOpen: false };
  const gains = async (house: House): Promise<number> => {
    const database = await createTestDatabase();
    const options = { seed: 1, database, house, days: 6, hasFaults: false };
    const { results } = await playGames([game], options);
    await database.close();
    return results[0]?.gainCents ?? 0;
  };
  expect(await gains(PAYS_FOR_DELETED_POSTS)).toBeGreaterThan(BOUND_CENTS);
  expect(await gains(REAL_HOUSE)).toBeLessThanOrEqual(BOUND_CENTS);
});

/** The games that gained, by a small search. */
async function findGains(house: House): Promise<string[]> {
  const { best } = await searchForLeaks({
    seed: 1,
    games: 30,
    gamesPerWorld: 30,
    days: 12,
    hasFaults: false,
    house,
    openings: [],
    openDatabase: createTestDatabase,
  });
  return best
    .filter(({ gainCents }) => gainCents > BOUND_CENTS)
    .map(({ gainCents, steps }) => `${gainCents}: ${writeSteps(steps)}`);
}
