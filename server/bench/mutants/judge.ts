import { isEquivalent, type Equivalent } from './equivalent.ts';
import type { Mutant } from './find-mutants.ts';
import type { TestFile } from './mutated-tests.ts';
import { hashOf, isComputedAtImport, type Reach, testsOf } from './reach.ts';
import type { Patience, Runner } from './runner.ts';

export type State = 'killed' | 'timed out' | 'survived' | 'not reached' | 'equivalent';
export interface Result {
  state: State;
  /** The test file that noticed it. */
  by?: string;
  /** Of the texts that decided it: a change of them asks again. */
  hash: string;
}

/** A mutant on trial, and the test files that have not been asked yet. */
interface Trial {
  mutant: Mutant;
  hash: string;
  queue: Asked[];
}
interface Asked extends TestFile {
  seconds: number;
}

const LEAST_PATIENCE_MS = 120_000;
const FILES_A_ROUND = 16;
/** How far from the nearest test a round may look for one that nobody else of the round has. */
const LOOK_AHEAD = 3;

export interface Evidence {
  reaches: readonly Reach[];
  equivalents: readonly Equivalent[];
  known: Readonly<Record<string, Result>>;
  tell: (mutant: Mutant, result: Result) => void;
}

/**
 * Tries many mutants in one run of tests, each in a test file of its own: what costs most is to start
 * and to load the product. What is computed as a module is read needs a run of its own.
 */
export async function judge(
  mutants: readonly Mutant[],
  runner: Runner,
  evidence: Evidence,
): Promise<void> {
  const trials = mutants.flatMap((mutant) => open(mutant, evidence));
  for (const trial of trials.filter(({ mutant }) => isComputedAtImport(mutant))) {
    evidence.tell(trial.mutant, await judgeAlone(trial, runner));
  }
  const waiting = new Set(trials.filter(({ mutant }) => !isComputedAtImport(mutant)));
  while (waiting.size > 0) {
    const round = nextRound(waiting);
    for (const [trial, result] of await playRound(round, runner)) {
      waiting.delete(trial);
      evidence.tell(trial.mutant, result);
    }
  }
}

/** Tells at once what needs no run. */
function open(mutant: Mutant, { reaches, equivalents, known, tell }: Evidence): Trial[] {
  const tests = testsOf(mutant, reaches);
  const hash = hashOf(mutant.file, ...tests.map(({ file }) => file));
  const earlier = known[mutant.key];
  const isStill = earlier && (earlier.hash === hash || /killed|timed out/.test(earlier.state));
  const result: Result | undefined = isEquivalent(mutant, equivalents)
    ? { state: 'equivalent', hash }
    : isStill
      ? earlier
      : tests.length === 0
        ? { state: 'not reached', hash }
        : undefined;
  if (!result) return [{ mutant, hash, queue: quickFirst(tests) }];
  tell(mutant, result);
  return [];
}

/** Parts without the slowest tests, then the files that have such. */
function quickFirst(tests: readonly Reach[]): Asked[] {
  const asked = ({ project, file, seconds }: Reach): Asked => ({ project, file, seconds });
  return [
    ...tests.map((test) => (test.quick ? { ...asked(test), only: test.quick } : asked(test))),
    ...tests.filter(({ quick }) => quick).map(asked),
  ];
}

type Round = Map<Asked, Trial>;

/** Each trial's next test file, as far as it isn't another one's in this round. */
function nextRound(waiting: ReadonlySet<Trial>): Round {
  const taken = new Set<string>();
  const round: Round = new Map();
  for (const trial of waiting) {
    if (round.size === FILES_A_ROUND) break;
    const next = trial.queue.slice(0, LOOK_AHEAD).find(({ file }) => !taken.has(file));
    if (!next) continue;
    taken.add(next.file);
    round.set(next, trial);
  }
  return round;
}

const patienceWith =
  (files: readonly Asked[]): Patience =>
  (file) =>
    LEAST_PATIENCE_MS + 5000 * (files.find((asked) => asked.file === file)?.seconds ?? 0);

async function playRound(round: Round, runner: Runner): Promise<Array<[Trial, Result]>> {
  const files = [...round].map(([file, { mutant }]) => ({ ...file, awake: mutant.key }));
  const { outcomes, hung } = await runner.run(files, {
    bail: false,
    patience: patienceWith(files),
  });
  const told: Array<[Trial, Result]> = [];
  for (const [asked, trial] of round) {
    const { hash } = trial;
    const outcome = outcomes.find(({ file }) => file === asked.file);
    // Alone, because what another mutant has left running could be what it waits for.
    if (asked.file === hung) told.push([trial, await judgeAlone(trial, runner)]);
    else if (outcome && !outcome.isGreen)
      told.push([trial, { state: 'killed', by: asked.file, hash }]);
    else if (outcome) {
      trial.queue = trial.queue.filter((other) => other !== asked);
      if (trial.queue.length === 0) told.push([trial, { state: 'survived', hash }]);
    }
  }
  return told;
}

async function judgeAlone({ mutant, hash, queue }: Trial, runner: Runner): Promise<Result> {
  const parts = [queue.filter(({ only }) => only), queue.filter(({ only }) => !only)];
  for (const part of parts.filter(({ length }) => length > 0)) {
    const files = part.map((file) => ({ ...file, awake: mutant.key }));
    const { outcomes, hung } = await runner.run(files, {
      bail: true,
      patience: patienceWith(files),
    });
    const red = outcomes.find(({ isGreen }) => !isGreen);
    if (red) return { state: 'killed', by: red.file, hash };
    if (hung !== undefined) return { state: 'timed out', by: hung, hash };
  }
  return { state: 'survived', hash };
}
