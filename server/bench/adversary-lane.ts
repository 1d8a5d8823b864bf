import { embeddedImage, openEmbedded } from '#server/db/embedded.ts';
import { migrate } from '#server/db/migrate.ts';
import { readSteps } from '#test/adversary/game.ts';
import { REAL_HOUSE } from '#test/adversary/house.ts';
import { KEPT_GAMES } from '#test/adversary/kept-games.ts';
import { searchForLeaks } from '#test/adversary/search.ts';

/**
 * One lane of `npm run sim:adversary`, a process of its own with embedded databases: it searches for
 * itself, and tells the process that started it how far it is and what it has found.
 */
const [games, seed, days, gamesPerWorld] = process.argv.slice(2).map(Number);
const image = await embeddedImage(migrate);
const report = await searchForLeaks({
  seed: seed ?? 1,
  games: games ?? 100,
  gamesPerWorld: gamesPerWorld ?? 100,
  days: days ?? 45,
  hasFaults: true,
  house: REAL_HOUSE,
  openings: Object.values(KEPT_GAMES).map(readSteps),
  openDatabase: async () => ({ ...(await openEmbedded({ image })), url: undefined }),
  onWorld: (played, best) => process.send?.({ kind: 'world', played, best }),
});
process.send?.({ kind: 'report', report });
process.disconnect();
