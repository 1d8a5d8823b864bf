import { readFile } from 'node:fs/promises';
import { openEmbedded } from '#server/kit/db/embedded.ts';
import { readSteps } from '#test/adversary/game.ts';
import { REAL_HOUSE } from '#test/adversary/house.ts';
import { KEPT_GAMES } from '#test/adversary/kept-games.ts';
import { FOUND_CENTS, PLANTED } from '#test/adversary/planted-leaks.ts';
import { searchForLeaks } from '#test/adversary/search.ts';
import { migratedImage } from '#test/databases/migrated-image.ts';

/** Long enough for what is given once in 365 days, and again. */
const LONG_DAYS = 400;

/**
 * One lane of `npm run sim:adversary`, a process of its own with embedded databases: it searches for
 * itself, and tells the process that started it how far it is and what it has found.
 */
const [games, seed, days, gamesPerWorld] = process.argv.slice(2, 6).map(Number);
const planted = PLANTED[process.argv[6] ?? ''];
const image = new Blob([await readFile(await migratedImage())]);
const report = await searchForLeaks({
  seed: seed ?? 1,
  games: games ?? 100,
  gamesPerWorld: gamesPerWorld ?? 100,
  days: days ?? 45,
  longDays: LONG_DAYS,
  hasFaults: true,
  house: planted ?? REAL_HOUSE,
  // Who is to find a leak isn't told of those that were.
  openings: planted ? [] : Object.values(KEPT_GAMES).map(readSteps),
  ...(planted && { enoughCents: FOUND_CENTS }),
  openDatabase: async () => ({ ...(await openEmbedded({ image })), url: undefined }),
  onWorld: (played, best) => process.send?.({ kind: 'world', played, best }),
});
process.send?.({ kind: 'report', report });
process.disconnect();
