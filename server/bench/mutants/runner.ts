import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { Mutant } from './find-mutants.ts';
import type { FileOutcome, TestFile } from './mutated-tests.ts';
import type { Answer, Question } from './runner-process.ts';

const GONE = new Set<() => void>();
process.once('exit', () => GONE.forEach((kill) => kill()));

/**
 * A process that runs tests. A mutant can loop for ever, so the process and its workers are a group that
 * is killed as one, and made anew.
 */
export class Runner {
  readonly #mutants: readonly Mutant[];
  #child: ChildProcess | undefined;
  files: readonly TestFile[] = [];

  constructor(mutants: readonly Mutant[]) {
    this.#mutants = mutants;
  }

  async start(): Promise<void> {
    const child = fork(join(import.meta.dirname, 'runner-process.ts'), { detached: true });
    this.#child = child;
    GONE.add(this.stop);
    const planted = await this.#ask({ ask: 'plant', mutants: this.#mutants });
    if (planted?.told === 'planted') this.files = planted.files;
  }

  /** Nothing where it took longer than allowed. */
  async run(
    files: readonly TestFile[],
    { bail, mostMs }: { bail: boolean; mostMs?: number },
  ): Promise<readonly FileOutcome[] | undefined> {
    if (!this.#child) await this.start();
    const answer = await this.#ask({ ask: 'run', files, bail }, mostMs);
    return answer?.told === 'ran' ? answer.outcomes : undefined;
  }

  readonly stop = (): void => {
    const pid = this.#child?.pid;
    this.#child = undefined;
    GONE.delete(this.stop);
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It had ended by itself.
    }
  };

  #ask(question: Question, mostMs?: number): Promise<Answer | undefined> {
    const child = this.#child;
    return new Promise((resolve) => {
      const late = mostMs === undefined ? undefined : setTimeout(() => end(undefined), mostMs);
      const end = (answer: Answer | undefined): void => {
        clearTimeout(late);
        child?.off('message', end).off('exit', gone);
        if (!answer) this.stop();
        resolve(answer);
      };
      const gone = (): void => end(undefined);
      child?.once('message', end).once('exit', gone);
      child?.send(question);
    });
  }
}
