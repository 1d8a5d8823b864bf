import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { writeSteps } from '#test/adversary/game.ts';
import type { GameResult } from '#test/adversary/play-games.ts';
import type { SearchReport } from '#test/adversary/search.ts';
import { BOUND_CENTS } from '#test/adversary/wealth.ts';

/**
 * `npm run sim:adversary [games] [seed] [days]`: players who want more than they pay for, over months of
 * simulated time. Prints the games that gained most and ends with 1 where one gained more than the
 * product gives away on purpose.
 */
const games = Number(process.argv[2] ?? 5000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000);
const days = Number(process.argv[4] ?? 45);
const gamesPerWorld = Math.min(100, games);
const lanes = Math.min(Math.ceil(games / gamesPerWorld), availableParallelism());
const SHOWN = 5;

type LaneMessage =
  | { kind: 'world'; played: number; best: GameResult | undefined }
  | { kind: 'report'; report: SearchReport };

const startedAt = performance.now();
console.log(`seed ${seed}, ${games} games of ${days} days, ${lanes} lanes`);
tell(await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane))));

function runLane(lane: number): Promise<SearchReport> {
  const share = Math.floor(games / lanes) + (lane < games % lanes ? 1 : 0);
  const args = [share, seed + lane, days, gamesPerWorld].map(String);
  const child = fork(join(import.meta.dirname, 'adversary-lane.ts'), args);
  return new Promise((resolve, reject) => {
    child.on('message', (message: LaneMessage) => {
      if (message.kind === 'report') resolve(message.report);
      else
        console.log(
          `lane ${lane}: ${message.played} games, ${elapsed()}, best ${cents(message.best)}`,
        );
    });
    child.on('exit', (code) =>
      reject(new Error(`Lane ${lane} (seed ${seed + lane}) ended with ${code}`)),
    );
  });
}

function tell(reports: readonly SearchReport[]): void {
  const counts = new Map<string, number>();
  for (const [what, times] of reports.flatMap((report) => Object.entries(report.counts))) {
    counts.set(what, (counts.get(what) ?? 0) + times);
  }
  for (const what of [...counts.keys()].sort()) console.log(`${what}: ${counts.get(what)}`);
  const best = reports
    .flatMap((report) => report.best)
    .toSorted((a, b) => b.gainCents - a.gainCents);
  for (const game of best.slice(0, SHOWN)) tellGame(game);
  const violations = reports.flatMap((report) => report.violations);
  for (const violation of violations) console.log(violation);
  const leaks = best.filter(({ gainCents }) => gainCents > BOUND_CENTS).length;
  const played = reports.reduce((total, report) => total + report.played, 0);
  console.log(
    `${played} games, ${leaks} above the bound, ${violations.length} violations, ${elapsed()}, seed ${seed}`,
  );
  process.exitCode = leaks + violations.length === 0 ? 0 : 1;
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
