import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { exitOnSignals } from '#test/run/exit-on-signals.ts';
import { AREAS, type Area, filesOf } from './areas.ts';
import { readEquivalents } from './equivalent.ts';
import { type Mutant, pickMutants } from './find-mutants.ts';
import { judge, type Result, type State } from './judge.ts';
import { keep, readKept, readReach } from './reach.ts';
import { Runner } from './runner.ts';

/**
 * `npm run mutants [area] [seed] [count]`: plants faults one at a time and says which of them no test
 * notices. It goes on where an earlier run was stopped, and gives way to whatever else computes.
 */
const { positionals } = parseArgs({ allowPositionals: true });
const [wanted, seed, count] = [
  positionals[0],
  Number(positionals[1] ?? 1),
  Number(positionals[2] ?? 80),
];
const areas = AREAS.filter(
  ({ name }) => wanted === undefined || wanted === 'all' || name === wanted,
);
if (areas.length === 0 || !Number.isInteger(seed) || !Number.isInteger(count) || count < 1) {
  const names = AREAS.map(({ name }) => name).join(', ');
  console.error(
    `npm run mutants [area] [seed] [count]: the area is one of ${names} or all, the others are whole numbers.`,
  );
  process.exit(2);
}
// One more than the cores: a runner often waits, for a test that hangs the longest.
const RUNNERS = availableParallelism() + 1;
setPriority(19);
exitOnSignals();

type Results = Record<string, Result>;
const results = readKept<Results>('results.json') as Results;

const equivalents = readEquivalents();
const picked = areas.map((area) => ({ area, mutants: pickMutants(area, seed, count) }));
const all = picked.flatMap(({ mutants }) => mutants);

const runners = Array.from({ length: RUNNERS }, () => new Runner(all, giveWay));
await Promise.all(runners.map((runner) => runner.start()));
const folders = new Set(
  areas.flatMap((area) => [...filesOf(area).map((file) => dirname(file)), ...area.users]),
);
// An area's own tests should notice: those of other folders are slow, and fail for many reasons.
const files = (runners[0]?.files ?? []).filter(
  ({ project, file }) => project === 'code' || folders.has(dirname(file)),
);
const reaches = await readReach(files, runners);

let done = 0;
const tell = (mutant: Mutant, result: Result): void => {
  results[mutant.key] = result;
  keep('results.json', results);
  done += 1;
  const by = result.by ? `  by ${result.by}` : '';
  console.log(`${done}/${all.length} ${result.state.padEnd(11)} ${describe(mutant)}${by}`);
};
await Promise.all(
  runners.map(async (runner, own) => {
    const share = all.filter((_mutant, index) => index % RUNNERS === own);
    await judge(share, runner, { reaches, equivalents, known: results, tell });
    runner.stop();
  }),
);
process.exitCode = picked.map(({ area, mutants }) => report(area, mutants)).every(Boolean) ? 0 : 1;

function describe({ file, line, operator, code, becomes }: Mutant): string {
  const short = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, 100);
  return `${file}:${line} ${operator}: ${short(code)} -> ${short(becomes) || 'nothing'}`;
}

/** Prints who lives and returns whether the goal is reached. */
function report(area: Area, mutants: readonly Mutant[]): boolean {
  const stateOf = ({ key }: Mutant): State => results[key]?.state ?? 'not reached';
  const counted = mutants.filter((mutant) => stateOf(mutant) !== 'equivalent');
  const alive = counted.filter((mutant) => ['survived', 'not reached'].includes(stateOf(mutant)));
  const share = 1 - alive.length / Math.max(1, counted.length);
  console.log(
    `\n${area.name}, seed ${seed}: ${counted.length - alive.length} of ${counted.length} killed (${(100 * share).toFixed(1)} %, goal ${100 * area.goal} %), ${mutants.length - counted.length} equivalent`,
  );
  for (const mutant of alive)
    console.log(`  ${stateOf(mutant)} ${describe(mutant)}\n    ${mutant.key}`);
  return share >= area.goal;
}

/** Linux shares its cores among sessions first: in one of its own a process is nice to nobody but itself. */
function giveWay({ pid }: ChildProcess): void {
  try {
    writeFileSync(`/proc/${pid}/autogroup`, '19');
  } catch {
    // Where cores aren't shared so, the priority of the process is enough.
  }
}
