import { availableParallelism, setPriority } from 'node:os';
import { parseArgs } from 'node:util';
import { AREAS, type Area } from './areas.ts';
import { isEquivalent, readEquivalents } from './equivalent.ts';
import { type Mutant, pickMutants } from './find-mutants.ts';
import { hashOf, keep, readKept, readReach, testsOf } from './reach.ts';
import type { TestFile } from './mutated-tests.ts';
import { Runner } from './runner.ts';

/**
 * `npm run mutants [area] [seed] [most]`: plants faults one at a time and says which of them no test
 * notices. It goes on where an earlier run was stopped, and gives way to whatever else computes.
 */
const LEAST_PATIENCE_MS = 120_000;
const { positionals } = parseArgs({ allowPositionals: true });
const [wanted, seed, most] = [
  positionals[0],
  Number(positionals[1] ?? 1),
  Number(positionals[2] ?? 80),
];
const areas = AREAS.filter(
  ({ name }) => wanted === undefined || wanted === 'all' || name === wanted,
);
if (areas.length === 0 || !Number.isInteger(seed) || !Number.isInteger(most) || most < 1) {
  const names = AREAS.map(({ name }) => name).join(', ');
  console.error(
    `npm run mutants [area] [seed] [most]: the area is one of ${names} or all, the others are whole numbers.`,
  );
  process.exit(2);
}
setPriority(Number(process.env['MUTANTS_NICE'] ?? 19));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

type State = 'killed' | 'timed out' | 'survived' | 'not reached' | 'equivalent';
interface Result {
  state: State;
  by?: string;
  /** Of the texts that decided it: a change of them asks again. */
  hash: string;
}
type Results = Record<string, Result>;
const results = readKept<Results>('results.json') as Results;

const equivalents = readEquivalents();
const picked = areas.map((area) => ({ area, mutants: pickMutants(area, seed, most) }));
const all = picked.flatMap(({ mutants }) => mutants);

const measuring = new Runner(all, availableParallelism());
await measuring.start();
const { files } = measuring;
const reaches = await readReach(files, (some) => measuring.run(some, { awake: '', bail: false }));
measuring.stop();

const queue = [...all];
let done = 0;
await Promise.all(Array.from({ length: Number(process.env['MUTANTS_RUNNERS'] ?? 1) }, work));
process.exitCode = picked.map(({ area, mutants }) => report(area, mutants)).every(Boolean) ? 0 : 1;

async function work(): Promise<void> {
  const runner = new Runner(all, 1);
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const result = await judge(mutant, runner);
    results[mutant.key] = result;
    keep('results.json', results);
    done += 1;
    console.log(
      `${done}/${all.length} ${result.state.padEnd(11)} ${describe(mutant)}${result.by ? `  by ${result.by}` : ''}`,
    );
  }
  runner.stop();
}

async function judge(mutant: Mutant, runner: Runner): Promise<Result> {
  const tests = testsOf(mutant, reaches);
  const hash = hashOf(mutant.file, ...tests.map(({ file }) => file));
  if (isEquivalent(mutant, equivalents)) return { state: 'equivalent', hash };
  const known = results[mutant.key];
  if (known && (known.hash === hash || ['killed', 'timed out'].includes(known.state))) return known;
  if (tests.length === 0) return { state: 'not reached', hash };
  const quickFirst: TestFile[][] = [
    tests.filter(({ project }) => project === 'code'),
    tests
      .filter(({ project }) => project !== 'code')
      .map(({ quick, ...test }) => (quick ? { ...test, only: quick } : test)),
    tests.filter(({ project, quick }) => project !== 'code' && quick),
  ];
  for (const some of quickFirst.filter(({ length }) => length > 0)) {
    const usualMs = tests.reduce((sum, { seconds }) => sum + seconds * 1000, 0);
    const mostMs = LEAST_PATIENCE_MS + 5 * usualMs;
    const outcomes = await runner.run(some, { awake: mutant.key, bail: true, mostMs });
    if (!outcomes) return { state: 'timed out', hash };
    const red = outcomes.find(({ isGreen }) => !isGreen);
    if (red) return { state: 'killed', by: red.file, hash };
  }
  return { state: 'survived', hash };
}

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
