import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { writeSteps } from '#test/adversary/game.ts';
import { FOUND_CENTS, PLANTED } from '#test/adversary/planted-leaks.ts';
import type { GameResult } from '#test/adversary/play-games.ts';
import type { SearchReport } from '#test/adversary/search.ts';
import { BOUND_CENTS } from '#test/adversary/wealth.ts';
import { bundled } from '#test/processes/bundled.ts';
import { runLane } from './run-lane.ts';

/**
 * `npm run sim:adversary [games] [seed] [days]`: players who want more than they pay for, over months of
 * simulated time; one game in ten lasts 400 days. Prints the games that gained most, and those that gained
 * most of what they paid for, and ends with 1 where one gained more than the product gives away on purpose.
 *
 * `--planted time`, `deleted` or `disputes`: plants that leak, and ends with 1 unless a game gains $10 by it
 * that nobody told the players of.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { planted: { type: 'string' } },
});
const { planted } = values;
if (planted !== undefined && !(planted in PLANTED)) {
  throw new Error(`There is no planted leak "${planted}": ${Object.keys(PLANTED).join(', ')}`);
}
const games = Number(positionals[0] ?? (planted === undefined ? 5000 : 600));
const seed = Number(positionals[1] ?? Date.now() % 1_000_000_000);
const days = Number(positionals[2] ?? 45);
const gamesPerWorld = Math.min(100, games);
const lanes = Math.min(Math.ceil(games / gamesPerWorld), availableParallelism());
const SHOWN = 5;

interface Played {
  kind: 'world';
  played: number;
  best: GameResult | undefined;
}

const startedAt = performance.now();
console.log(`seed ${seed}, ${games} games of ${days} days, ${lanes} lanes`);
tell(await Promise.all(Array.from({ length: lanes }, (_, lane) => searchLane(lane))));

async function searchLane(lane: number): Promise<SearchReport> {
  const share = Math.floor(games / lanes) + (lane < games % lanes ? 1 : 0);
  const args = [share, seed + lane, days, gamesPerWorld, planted ?? ''];
  return runLane(
    `Lane ${lane} (seed ${seed + lane})`,
    { file: await bundled('server/bench/adversary-lane.ts'), args },
    ({ played, best }: Played) =>
      console.log(`lane ${lane}: ${played} games, ${elapsed()}, best ${cents(best)}`),
  );
}

function tell(reports: readonly SearchReport[]): void {
  const counts = new Map<string, number>();
  for (const [what, times] of reports.flatMap((report) => Object.entries(report.counts))) {
    counts.set(what, (counts.get(what) ?? 0) + times);
  }
  for (const what of [...counts.keys()].sort()) console.log(`${what}: ${counts.get(what)}`);
  const best = sortByGain(reports.flatMap((report) => report.best));
  for (const game of best.slice(0, SHOWN)) tellGame(game);
  console.log('\nOf those that paid in the end:');
  const paying = sortByGain(reports.flatMap((report) => report.bestPaying));
  for (const game of paying.slice(0, SHOWN)) tellGame(game);
  if (planted !== undefined) return tellPlanted(planted, best[0]);
  const violations = reports.flatMap((report) => report.violations);
  for (const violation of violations) console.log(violation);
  const leaks = best.filter(({ gainCents }) => gainCents > BOUND_CENTS).length;
  const played = reports.reduce((total, report) => total + report.played, 0);
  console.log(
    `${played} games, ${leaks} above the bound, ${violations.length} violations, ${elapsed()}, seed ${seed}`,
  );
  process.exitCode = leaks + violations.length === 0 ? 0 : 1;
}

function tellPlanted(word: string, best: GameResult | undefined): void {
  const isFound = (best?.gainCents ?? 0) >= FOUND_CENTS;
  console.log(
    `planted "${word}": ${isFound ? 'found' : 'not found'}, ${cents(best)}, ${elapsed()}, seed ${seed}`,
  );
  process.exitCode = isFound ? 0 : 1;
}

function sortByGain(results: readonly GameResult[]): GameResult[] {
  return results.toSorted((a, b) => b.gainCents - a.gainCents);
}

function tellGame(game: GameResult): void {
  console.log(`\ngained ${cents(game)}: ${writeSteps(game.steps)}`);
  for (const [what, amount] of Object.entries(game.wealth)) {
    console.log(`  ${what}: ${amount.toFixed(1)}`);
  }
  for (const { reason, cents: amount } of game.givenAway) {
    console.log(`  given: ${reason}: ${amount.toFixed(1)}`);
  }
}

function cents(game: GameResult | undefined): string {
  return `${(game?.gainCents ?? 0).toFixed(1)} cents`;
}

function elapsed(): string {
  return `${Math.round((performance.now() - startedAt) / 1000)} s`;
}
