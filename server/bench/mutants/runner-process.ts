import type { Mutant } from './find-mutants.ts';
import { type FileOutcome, MutatedTests, type TestFile } from './mutated-tests.ts';

/** What a runner is asked. */
export type Question =
  | { ask: 'plant'; mutants: readonly Mutant[] }
  | { ask: 'run'; files: readonly TestFile[]; bail: boolean };
/** What it tells meanwhile, and what it answers in the end. */
export type Told =
  | { told: 'began'; file: string }
  | { told: 'ended'; outcome: FileOutcome }
  | Answer;
export type Answer =
  | { told: 'planted'; files: readonly TestFile[] }
  /** `errors`: what no test caught; the outcomes were told one by one. */
  | { told: 'ran'; errors: string };

let tests: MutatedTests | undefined;
process.on('message', (question: Question) => void answer(question));
// Without its parent a runner has nobody to run for.
process.once('disconnect', () => process.exit());

async function answer(question: Question): Promise<void> {
  if (question.ask === 'plant') {
    tests = await MutatedTests.start(question.mutants, {
      began: (file) => tell({ told: 'began', file }),
      ended: (outcome) => tell({ told: 'ended', outcome }),
    });
    return tell({ told: 'planted', files: await tests.list() });
  }
  const { files, bail } = question;
  return tell({ told: 'ran', errors: (await tests?.run(files, bail)) ?? '' });
}

function tell(told: Told): void {
  process.send?.(told);
}
